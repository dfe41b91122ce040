// The larger of two sums with a number so large that a small step of the inputs leaves no trace in them.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  double a = x[0] + 1e9, b = 2 * x[1] + 1e9;
  double larger = fmax(a, b); //~ kink
  return larger - 1e9;
}

int main(void) {
  double x[2] = {0.5, 0.25}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  printf("%g %g\n", d[0], d[1]);
  return 0;
}
