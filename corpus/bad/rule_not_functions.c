// A registration whose augmented forward is missing.
// adj-exit: 3
// adj-message: is not of the form {function, augmented forward, reverse}
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }
static double square_reverse(double x, double adjoint) { return adjoint * 2.0 * x; }

void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_reverse};

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, 2.0));
  return 0;
}
