// A registered tangent that does not take the tangent of the argument.
// adj-exit: 3
// adj-message: must take each pointer and each float with its shadow or tangent behind it
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }
static double square_tangent(double x) { return 2.0 * x; }

void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_tangent};

int main(void) {
  printf("%g\n", __enzyme_fwddiff((void *)square, 2.0, 1.0));
  return 0;
}
