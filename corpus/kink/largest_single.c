// The larger of two numbers of single precision that are equal: as far as they are rounded alike, the tie stays.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  float a = (float)x[0] * 3.0f, b = (float)x[1] * 3.0f;
  double larger = fmaxf(a, b); //~ kink
  return larger * larger + x[0];
}

int main(void) {
  double x[2] = {1.25, 1.25}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  printf("%g %g\n", d[0], d[1]);
  return 0;
}
