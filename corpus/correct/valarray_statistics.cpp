// std::valarray: whole-array arithmetic, sums, shifts, and functions applied to every element.
#include "adj.h"
#include <cmath>
#include <valarray>

static double squared(double x) { return x * x; }

static double autocorrelation(const double *x, int n) {
  std::valarray<double> v(x, n);
  double mean = v.sum() / n;
  std::valarray<double> d = v - mean;
  std::valarray<double> lagged = d.cshift(1);
  double variance = (d * d).sum();
  std::valarray<double> p = d.apply(squared) + 0.5 * std::exp(-d * d);
  return (d * lagged).sum() / variance + p.sum();
}

int main() {
  double x[5] = {0.5, 1.5, -1.0, 2.0, 0.25}, dx[5] = {0};
  __enzyme_autodiff<void>((void *)autocorrelation, enzyme_dup, x, dx, enzyme_const, 5);
  return dx[0] != 0.0 ? 0 : 1;
}
