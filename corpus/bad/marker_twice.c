// Two markers before one argument.
// adj-exit: 3
// adj-message: a marker stands in its place
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, enzyme_out, enzyme_out, 2.0));
  return 0;
}
