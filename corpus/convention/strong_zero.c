// `enzyme_strong_zero`: what has no weight contributes nothing, though its derivative is infinite.
#include "adj.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_strong_zero;

static double tip(const double *x, double weight) {
  double root = sqrt(x[0]); //~ convention
  return weight * root + x[1] * x[1];
}

int main(void) {
  double x[2] = {0.0, 3.0}, dx[2] = {0};
  __enzyme_autodiff((void *)tip, enzyme_strong_zero, enzyme_dup, x, dx, enzyme_const, 0.0);
  printf("%g %g\n", dx[0], dx[1]);
  return dx[0] != 0.0 || dx[1] != 6.0;
}
