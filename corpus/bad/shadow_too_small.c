// A shadow of fewer elements than the array.
// adj-exit: 1
// adj-message: the shadow of `x` has 16 bytes, and `x` has 24
#include "adj.h"
#include <stdio.h>

static double norm(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[2] = {0};
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%g\n", dx[0]);
  return 0;
}
