// A variable is registered where functions are.
// adj-exit: 3
// adj-message: is not of the form {functions}
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }
static double counter;

void *__enzyme_inactivefn_counter[] = {(void *)&counter};

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)square, 2.0));
  return 0;
}
