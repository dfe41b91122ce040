// Active numbers are moved into an array that the call passes as constant, and read back there.
// adj-exit: 3
// adj-message: memory that the call marks constant
#include "adj.h"
#include <string.h>

static double f(const double *x, double *window) {
  memmove(window + 1, x, 3 * sizeof(double));
  return window[3] * window[3];
}

int main(void) {
  static double x[3] = {1, 2, 3}, dx[3], window[4];
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, window);
  return dx[2] != 6;
}
