// An active value is written to an array that the call passes as constant.
// adj-exit: 3
// adj-message: memory that the call marks constant
#include "adj.h"

static double f(double x, double *log) {
  log[0] = x * x;
  return log[0] * x;
}

int main(void) {
  static double log[1];
  return __enzyme_autodiff((void *)f, enzyme_out, 2.0, enzyme_const, log) != 12.0;
}
