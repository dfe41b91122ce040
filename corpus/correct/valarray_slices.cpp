// std::valarray: expressions of whole arrays, slices, shifts, sum, apply.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <valarray>

static double energy(const double *x, int n) {
  std::valarray<double> v(x, n);
  std::valarray<double> w = v * v + 2.0 * v;
  std::valarray<double> even = w[std::slice(0, n / 2, 2)];
  std::valarray<double> odd = w[std::slice(1, n / 2, 2)];
  even += std::exp(odd * 0.1);
  w[std::slice(0, n / 2, 2)] = even * odd;
  std::valarray<double> shifted = w.cshift(1);
  return (shifted * v).sum() + w.max();
}

int main() {
  double x[6] = {0.5, -1.5, 2.0, 0.25, 1.0, 0.75}, dx[6] = {0};
  __enzyme_autodiff<double>((void *)energy, enzyme_dup, x, dx, enzyme_const, 6);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
