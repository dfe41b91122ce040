// Two directions are asked for and only one shadow is given.
// adj-exit: 3
// adj-message: shadow 2 of 2 of argument 1 of `f` is missing
#include "adj.h"
#include <stdio.h>

static double f(const double *x, int n) { return x[0] * n; }

int main(void) {
  double x[1] = {2.0}, d[1] = {1.0};
  printf("%g\n", __enzyme_fwddiff((void *)f, enzyme_width, 2, enzyme_dup, x, d, enzyme_const, 3));
  return 0;
}
