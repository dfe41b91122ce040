// Tangents written by hand: of a function with an output array, and of one that returns a number.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static void scale(const double *x, double *y, double s, int n) {
  for (int i = 0; i < n; i++)
    y[i] = s * x[i] * x[i];
}

static void tscale(const double *x, const double *dx, double *y, double *dy, double s, double ds, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = s * x[i] * x[i];
    dy[i] = ds * x[i] * x[i] + 2.0 * s * x[i] * dx[i];
  }
}

static double norm(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

static double tnorm(const double *x, const double *dx, int n) {
  double sum = 0.0, along = 0.0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
    along += x[i] * dx[i];
  }
  return along / sqrt(sum);
}

int main(void) {
  double x[3] = {1.0, -2.0, 0.5}, dx[3] = {0.5, 1.0, -1.0}, y[3], dy[3];
  __adj_check_tangent((void *)scale, (void *)tscale, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_dup, 2.0, 0.25,
                      enzyme_const, 3);
  printf("%g %g %g\n", dy[0], dy[1], dy[2]);
  __adj_check_tangent((void *)norm, (void *)tnorm, enzyme_dup, x, dx, enzyme_const, 3);
  return 0;
}
