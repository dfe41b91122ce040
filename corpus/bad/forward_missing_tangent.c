// Forward mode without the tangent behind a duplicated number: the next argument's marker stands there.
// adj-exit: 3
// adj-message: the tangent of argument 1 of `f` is missing
#include "adj.h"
#include <stdio.h>

static double f(double x, int n) { return x * n; }

int main(void) {
  printf("%g\n", __enzyme_fwddiff((void *)f, enzyme_dup, 2.0, enzyme_const, 3));
  return 0;
}
