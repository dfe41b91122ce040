// Several gradients at once of a function that frees memory of its caller, which would be freed several times.
// adj-exit: 3
// adj-message: this frees memory of others
#include "adj.h"
#include <stdlib.h>

extern int enzyme_width;

static double consumed(double *x) {
  double value = x[0] * x[1];
  free(x);
  return value;
}

int main(void) {
  double *x = calloc(2, sizeof *x), dx[2] = {0}, dy[2] = {0};
  x[0] = 2.0;
  __enzyme_autodiff((void *)consumed, enzyme_width, 2, enzyme_dup, x, dx, dy);
  return 0;
}
