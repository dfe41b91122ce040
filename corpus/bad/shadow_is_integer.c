// The shadow was forgotten, so that the next argument stands in its place.
// adj-exit: 3
// adj-message: the shadow of argument 1 of `norm` is an integer of 32 bits here, where a pointer is needed
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
  __enzyme_autodiff((void *)norm, x, 3);
  printf("%g\n", dx[0]);
  return 0;
}
