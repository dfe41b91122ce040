// Two arguments have one shadow.
// adj-exit: 1
// adj-message: have one shadow
#include "adj.h"
#include <stdio.h>

static double dot(const double *x, const double *y) { return x[0] * y[0] + x[1] * y[1]; }

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0};
  double y[3] = {2.0, 0.5, 1.0};
  __enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dx);
  printf("%g\n", dx[0]);
  return 0;
}
