// The shadow of an array is the array itself.
// adj-exit: 3
// adj-message: is the argument itself, which derivatives would overwrite
#include "adj.h"
#include <stdio.h>

static double norm(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

int main(void) {
  static double x[3] = {1.0, 2.0, 3.0};
  __enzyme_autodiff((void *)norm, enzyme_dup, x, x, enzyme_const, 3);
  printf("%g\n", x[0]);
  return 0;
}
