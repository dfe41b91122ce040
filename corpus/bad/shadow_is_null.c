// The shadow of an array is a null pointer.
// adj-exit: 3
// adj-message: is null: derivatives are kept there
#include "adj.h"
#include <stddef.h>
#include <stdio.h>

static double first(const double *x) { return x[0] * x[0]; }

int main(void) {
  static double x[1] = {3.0};
  __enzyme_autodiff((void *)first, enzyme_dup, x, NULL);
  printf("%g\n", x[0]);
  return 0;
}
