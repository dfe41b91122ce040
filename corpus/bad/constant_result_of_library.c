// The library writes an active sine and cosine into an array that the call passes as constant.
// adj-exit: 3
// adj-message: memory that the call marks constant
#define _GNU_SOURCE
#include "adj.h"
#include <math.h>

static double f(double x, double *both) {
  sincos(x, &both[0], &both[1]);
  return both[0] * both[1];
}

int main(void) {
  static double both[2];
  return __enzyme_autodiff((void *)f, enzyme_out, 0.3, enzyme_const, both) != cos(0.6);
}
