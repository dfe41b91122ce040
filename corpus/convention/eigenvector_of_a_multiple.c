// The direction of an eigenvector where both eigenvalues are the same, but for rounding.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  double d = x[0] * x[0] / x[0] * 3.0 - 3.0 * x[0] * (x[1] / x[1]), b = x[1] / 3.0 * 3.0 * 1.1 - x[1] * 1.1;
  double r = sqrt(d * d + 4.0 * b * b); //~ convention
  return 0.5 * (1.0 + d / r);
}

int main(void) {
  double x[2] = {0.3, 0.71}, dx[2] = {0};
  printf("%d\n", isfinite(f(x)));
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return 0;
}
