// std::function keeps what a lambda captures in a buffer of bytes.
#include "adj.h"
#include <cstddef>
#include <cstdio>
#include <functional>

static double f(const double *x, std::size_t n) {
  std::function<double(std::size_t)> square = [x](std::size_t i) { return x[i] * x[i]; };
  std::function<double(std::size_t)> copy = square;
  double sum = 0.0;
  for (std::size_t i = 0; i < n; i++)
    sum += copy(i);
  return sum;
}

int main() {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx, enzyme_const, (std::size_t)4);
  std::printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
}
