// The normal of a triangle whose sides are parallel.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  double u[3], v[3], n[3];
  for (int i = 0; i < 3; i++) {
    u[i] = x[i] * 1.1;
    v[i] = x[i] / 7.0;
  }
  for (int i = 0; i < 3; i++) n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]); //~ convention
  return (n[0] + 2.0 * n[1] + 3.0 * n[2]) / length;
}

int main(void) {
  double x[3] = {0.3, 0.7, 1.3}, dx[3] = {0};
  printf("%d\n", isfinite(f(x)));
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return 0;
}
