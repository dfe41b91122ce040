// adj-flags: -std=c++20
// Since C++20 `std::allocator` has functions that take and give back memory, which are calls without optimisation.
#include "adj.h"
#include <cstdio>
#include <string>
#include <vector>

static double f(const double *x, int n) {
  std::vector<double> squares(n), rest;
  std::vector<std::vector<double>> rows(2);
  for (int i = 0; i < n; i++) {
    squares[i] = x[i] * x[i];
    rest.push_back(x[i] * squares[i]);
    rows[i % 2].push_back(rest[i] + squares[i]);
  }
  double sum = 0;
  for (const auto &row : rows)
    for (double value : row)
      sum += value * row[0];
  return sum;
}

int main() {
  double x[4] = {0.5, -1.5, 2, 0.25}, dx[4] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (double d : dx)
    std::printf("%g\n", d);
  return 0;
}
