// A vector that has grown has a larger capacity than its shadow, which was made with its size: their ends lie at other
// distances than what is in them.
#include "adj.h"
#include <cstdio>
#include <vector>

static double f(const std::vector<double> &x, const std::vector<std::vector<double>> &rows) {
  double sum = 0;
  for (double v : x) sum += v * v;
  for (const auto &row : rows)
    for (double v : row) sum += v * x[0];
  return sum;
}

int main() {
  std::vector<double> x, dx(3);
  for (int i = 0; i < 3; i++) x.push_back(i + 1.0);
  std::vector<std::vector<double>> rows, drows(2, std::vector<double>(5));
  for (int i = 0; i < 2; i++) {
    rows.emplace_back();
    for (int j = 0; j < 5; j++) rows.back().push_back(0.5 * i + j);
  }
  __enzyme_autodiff<void>((void *)f, enzyme_dup, &x, &dx, enzyme_dup, &rows, &drows);
  for (double v : dx) std::printf("%g\n", v);
  for (const auto &row : drows) std::printf("%g\n", row[4]);
}
