// A shadow that was freed before the call.
// adj-exit: 1
// adj-message: the shadow of `x` has been freed
#include "adj.h"
#include <stdlib.h>

static double norm(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, *dx = calloc(3, sizeof *dx);
  free(dx);
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, enzyme_const, 3);
  return 0;
}
