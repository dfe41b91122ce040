// The reverse of a registered gradient lacks the adjoint of the result.
// adj-exit: 3
// adj-message: then the adjoint of the result if it is a float
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }
static double square_forward(double x) { return x * x; }
static double square_reverse(double x) { return 2.0 * x; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_forward, (void *)square_reverse};

static double f(double x) { return square(x) + x; }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)f, 2.0));
  return 0;
}
