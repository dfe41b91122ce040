// Two directions, and the call is declared to return one number.
// adj-exit: 3
// adj-message: cannot hold what it returns, in this order: double, double
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }

int main(void) {
  printf("%g\n", __enzyme_fwddiff((void *)square, enzyme_width, 2, 2.0, 1.0, 0.5));
  return 0;
}
