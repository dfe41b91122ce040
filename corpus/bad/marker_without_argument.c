// A marker at the end, with nothing behind it.
// adj-exit: 3
// adj-message: argument 2 of `product` is missing behind its marker
#include "adj.h"
#include <stdio.h>

static double product(double x, double y) { return x * y; }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)product, enzyme_out, 1.0, enzyme_const));
  return 0;
}
