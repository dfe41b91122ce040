// std::valarray: whole-array arithmetic, shifts, apply and sum in a wave equation.
#include "adj.h"
#include <cstdio>
#include <valarray>

static double run(const double *x, std::size_t n) {
  std::valarray<double> u(x, n), before(u), next(n);
  for (int step = 0; step < 5; step++) {
    next = 2.0 * u - before + 0.1 * (u.shift(1) - 2.0 * u + u.shift(-1));
    before = u;
    u = next;
  }
  std::valarray<double> squares = u * u;
  return squares.sum() + u[n / 2];
}

int main() {
  double x[6] = {0.0, 0.4, 1.0, 0.6, -0.2, 0.1}, dx[6] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx, enzyme_const, (std::size_t)6);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
