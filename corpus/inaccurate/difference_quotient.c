// A forward difference with a tiny step stands in for the derivative: the quotient of two almost
// equal numbers keeps few of the digits, although f is perfectly conditioned.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double curve(double x) {
  return sin(x) * exp(0.5 * x);
}

static double dcurve(double x, double seed) {
  const double h = 1e-13;
  return seed * (curve(x + h) - curve(x)) / h; //~ inaccurate
}

int main(void) {
  __adj_check_gradient((void *)curve, (void *)dcurve, enzyme_out, 0.7, 1.0);
  printf("%.17g\n", curve(0.7));
  return 0;
}
