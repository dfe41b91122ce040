// A function of the library that is declared as C89 does where no header is included: it returns an integer.
// adj-exit: 3
// adj-message: `exp10` gets an active value, but has no body here
#include "adj.h"
#include <stdio.h>

int exp10(double);

static double f(double x) {
  return x * exp10(x);
}

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)f, 0.5));
  return 0;
}
