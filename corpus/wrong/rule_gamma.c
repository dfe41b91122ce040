// Rule: the derivative of tgamma is given as digamma alone; the factor tgamma(x) is missing. The
// primal has one nonlinear operation and overwrites nothing. Evidence: the error is in the local
// partial of one operation, with every value read being the right one.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double gamma_function(double x) {
  return tgamma(x);
}

static double digamma(double x) {
  double shift = 0.0;
  while (x < 12.0) {
    shift -= 1.0 / x;
    x += 1.0;
  }
  double y = 1.0 / (x * x);
  return shift + log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y / 132))));
}

static double dgamma_function(double x, double seed) {
  return seed * digamma(x); //~ wrong: rule
}

int main(void) {
  __adj_check_gradient((void *)gamma_function, (void *)dgamma_function, enzyme_out, 4.0, 1.0);
  printf("%.15g\n", gamma_function(4.0));
  return 0;
}
