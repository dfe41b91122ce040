// A root by bisection on plain comparisons, then one Newton step that carries the derivative.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double residual(double x, double a) {
  return x * x * x + a * x - exp(-x);
}

static double root(double a) {
  double lo = 0.0, hi = 2.0;
  for (int i = 0; i < 30; i++) {
    double mid = 0.5 * (lo + hi);
    if (residual(mid, a) > 0.0)
      hi = mid;
    else
      lo = mid;
  }
  double x = 0.5 * (lo + hi);
  double slope = 3.0 * x * x + a + exp(-x);
  return x - residual(x, a) / slope;
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    double a = 0.5 + 0.8 * i, x = root(a);
    double d = __enzyme_autodiff((void *)root, a);
    printf("%.17g %.12g %.6g\n", x, d, -x / (3.0 * x * x + a + exp(-x)));
  }
  return 0;
}
