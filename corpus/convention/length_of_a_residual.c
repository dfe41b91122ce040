// The length of what is left of a vector when its projection is taken away: zero in exact arithmetic for parallel
// vectors, where it is one-sided in every direction.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double residual(const double *x, const double *y) {
  double m = 0, p = 0, n = 0;
  for (int i = 0; i < 3; i++)
    m += x[i] * x[i];
  m = sqrt(m);
  for (int i = 0; i < 3; i++)
    p += x[i] / m * y[i];
  for (int i = 0; i < 3; i++) {
    double q = y[i] - p * (x[i] / m); //~ convention
    n += q * q;
  }
  return sqrt(n);
}

int main(void) {
  double x[3] = {0.375, 0.5, 0.3125}, y[3] = {0.75, 1.0, 0.625}, dx[3] = {0}, dy[3] = {0};
  printf("%d\n", residual(x, y) > 0.0);
  __enzyme_autodiff((void *)residual, enzyme_dup, x, dx, enzyme_dup, y, dy);
  printf("%d\n", dx[0] == dx[0]);
  return 0;
}
