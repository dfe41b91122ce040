// The derivative of x - sin(x) is 1 - cos(x): right as a formula, but near zero the subtraction
// cancels almost every digit, while 2 sin(x/2)^2 would keep them all.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double excess(double x) {
  return x - sin(x);
}

static double dexcess(double x, double seed) {
  return seed * (1.0 - cos(x)); //~ inaccurate
}

int main(void) {
  __adj_check_gradient((void *)excess, (void *)dexcess, enzyme_out, 3.0e-7, 1.0);
  printf("%.17g\n", excess(3.0e-7));
  return 0;
}
