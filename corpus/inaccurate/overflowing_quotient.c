// The derivative of the logistic function by the quotient rule: right as a formula, but where exp(-x) overflows it is
// the quotient of two infinities, while s (1 - s) would be zero.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double logistic(double x) { return 1 / (1 + exp(-x)); }

static double dlogistic(double x, double seed) {
  double e = exp(-x), one = 1 + e;
  return seed * e / (one * one); //~ inaccurate
}

int main(void) {
  __adj_check_gradient((void *)logistic, (void *)dlogistic, enzyme_out, -720.0, 1.0);
  printf("%.17g\n", logistic(-720.0));
  return 0;
}
