// An integer has no tangent.
// adj-exit: 3
// adj-message: only a pointer or a floating-point value has a tangent
#include "adj.h"
#include <stdio.h>

static double f(double x, int n) { return x * n; }

int main(void) {
  printf("%g\n", __enzyme_fwddiff((void *)f, enzyme_dup, 2.0, 1.0, enzyme_dup, 3, 1));
  return 0;
}
