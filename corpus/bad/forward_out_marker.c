// `enzyme_out` asks for an adjoint, which forward mode does not return.
// adj-exit: 3
// adj-message: forward mode returns no adjoints
#include "adj.h"
#include <stdio.h>

static double f(double x) { return x * x; }

int main(void) {
  printf("%g\n", __enzyme_fwddiff((void *)f, enzyme_out, 2.0));
  return 0;
}
