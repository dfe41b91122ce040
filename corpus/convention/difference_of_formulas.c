// Two formulas of one number each, and the direction of what they differ by.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  double a = x[0], b = x[1];
  double u = (a + b) * (a - b) - (a * a - b * b), v = (a + b) * (a + b) - (a * a + 2.0 * a * b + b * b);
  double length = hypot(u, v); //~ convention
  return u / length;
}

int main(void) {
  double x[2] = {0.1, 0.7}, dx[2] = {0};
  printf("%d\n", isfinite(f(x)));
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return 0;
}
