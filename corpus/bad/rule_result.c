// The reverse of a registered gradient returns nothing.
// adj-exit: 3
// adj-message: must return the adjoints of the floats that `square` takes by value
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }
static double square_forward(double x) { return square(x); }
static double last;
static void square_reverse(double x, double adjoint) { last = adjoint * 2.0 * x; }

void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_forward, (void *)square_reverse};

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, 2.0));
  return 0;
}
