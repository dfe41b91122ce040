// Several gradients at once of a function that writes to its caller's memory, which would be written several times.
// adj-exit: 3
// adj-message: calls the function once for each gradient
#include "adj.h"

extern int enzyme_width;

static void scale(double *x, double k) { x[0] *= k; }

int main(void) {
  static double x[1] = {2.0}, dx[1] = {1.0}, dy[1] = {0.5};
  __enzyme_autodiff((void *)scale, enzyme_width, 2, enzyme_dup, x, dx, dy, enzyme_const, 3.0);
  return x[0] != 6.0;
}
