// The number of directions must be known when the tangent is made.
// adj-exit: 3
// adj-message: `enzyme_width` needs a constant
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double f(double x) { return x * x; }

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  printf("%g\n", __enzyme_fwddiff((void *)f, enzyme_width, n, enzyme_dup, 2.0, 1.0));
  return 0;
}
