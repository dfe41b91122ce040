// std::any and std::variant keep pointers in buffers of bytes, beside numbers.
// adj-flags: -std=c++17
#include "adj.h"
#include <any>
#include <cstddef>
#include <cstdio>
#include <variant>
#include <vector>

static double f(const double *x, std::size_t n) {
  std::vector<std::any> things;
  std::vector<std::variant<int, const double *, double>> others;
  for (std::size_t i = 0; i < n; i++) {
    things.push_back(x + i);
    if (i % 2)
      others.emplace_back(x + i);
    else
      others.emplace_back(x[i] * x[i]);
  }
  double sum = 0.0;
  for (auto &thing : things)
    sum += *std::any_cast<const double *>(thing) * *std::any_cast<const double *>(thing);
  for (auto &other : others) {
    if (auto p = std::get_if<const double *>(&other))
      sum += 3.0 * **p;
    else if (auto d = std::get_if<double>(&other))
      sum += 2.0 * *d;
  }
  return sum;
}

int main() {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx, enzyme_const, (std::size_t)4);
  std::printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
}
