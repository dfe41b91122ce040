// A string where the function takes a number.
// adj-exit: 3
// adj-message: argument 1 of `square` is a pointer here, where a `double` is needed
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, "2.0"));
  return 0;
}
