// std::copy and std::copy_backward over the bytes of pointers.
#include "adj.h"
#include <algorithm>
#include <cstddef>
#include <cstdio>

static double f(const double *x, std::size_t n) {
  unsigned char bytes[2 * sizeof x];
  const auto *from = reinterpret_cast<const unsigned char *>(&x);
  std::copy(from, from + sizeof x, bytes);
  std::copy_backward(bytes, bytes + sizeof x, bytes + 2 * sizeof x);
  const double *p;
  std::copy_n(bytes + sizeof x, sizeof x, reinterpret_cast<unsigned char *>(&p));
  double sum = 0.0;
  for (std::size_t i = 0; i < n; i++)
    sum += p[i] * p[i];
  return sum;
}

int main() {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx, enzyme_const, (std::size_t)4);
  std::printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
}
