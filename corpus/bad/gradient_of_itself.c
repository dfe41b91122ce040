// A function that uses its own gradient: there would be derivatives of every order in it.
// adj-exit: 3
// adj-message: it asks for a derivative of what is being differentiated
#include "adj.h"
#include <stdio.h>

static double own(double x) { return x > 10.0 ? x : x * __enzyme_autodiff((void *)own, 2.0 * x); }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)own, 2.0));
  return 0;
}
