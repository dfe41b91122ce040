// An iteration that never satisfies its test: it stays above the root of two.
// adj-exit: 3
// adj-message: limit
#include "adj.h"
#include <stdio.h>

static double iterate(double x) {
  while (x > 1.0)
    x = 0.5 * (x + 2.0 / x);
  return x;
}

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)iterate, 1.5));
  return 0;
}
