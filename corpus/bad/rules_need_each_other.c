// Two registered gradients, of which each asks for the other.
// adj-exit: 3
// adj-message: without end
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static double square_forward(double x) { return square(x); }
static double cube_forward(double x) { return cube(x); }
static double square_reverse(double x, double adjoint) { return adjoint * __enzyme_autodiff((void *)cube, x) / x; }
static double cube_reverse(double x, double adjoint) { return adjoint * __enzyme_autodiff((void *)square, x) * x; }

void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_forward, (void *)square_reverse};
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_forward, (void *)cube_reverse};

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, 2.0));
  return 0;
}
