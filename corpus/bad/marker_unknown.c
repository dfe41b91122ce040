// A marker that does not exist.
// adj-exit: 3
// adj-message: `enzyme_active` is no marker that is known
#include "adj.h"
#include <stdio.h>

extern int enzyme_active;
static double square(double x) { return x * x; }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, enzyme_active, 2.0));
  return 0;
}
