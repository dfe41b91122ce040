// No direction at all.
// adj-exit: 3
// adj-message: `enzyme_width` needs a constant from 1
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }

int main(void) {
  printf("%g\n", __enzyme_fwddiff((void *)square, enzyme_width, 0, 2.0, 1.0));
  return 0;
}
