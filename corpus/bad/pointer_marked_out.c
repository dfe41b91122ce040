// A pointer has no adjoint that the call could return.
// adj-exit: 3
// adj-message: argument 1 of `norm` is marked enzyme_out, but only a floating-point value has an adjoint to return
#include "adj.h"
#include <stdio.h>

static double norm(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0};
  __enzyme_autodiff((void *)norm, enzyme_out, x, 3);
  printf("%g\n", dx[0]);
  return 0;
}
