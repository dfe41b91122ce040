// In reverse mode a number by value has no shadow.
// adj-exit: 3
// adj-message: but only a pointer has a shadow
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, enzyme_dup, 2.0, 1.0));
  return 0;
}
