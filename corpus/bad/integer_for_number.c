// An integer constant where the function takes a number: behind `...` nothing is converted.
// adj-exit: 3
// adj-message: argument 1 of `square` is an integer of 32 bits here, where a `double` is needed
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, enzyme_out, 2));
  return 0;
}
