// An integer is given a shadow.
// adj-exit: 3
// adj-message: argument 2 of `norm` is marked enzyme_dup, but only a pointer has a shadow
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
  int n = 3, dn = 0;
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, enzyme_dup, n, dn);
  printf("%g\n", dx[0]);
  return 0;
}
