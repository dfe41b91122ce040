// A tangent by hand that lacks the factor two of the chain rule.
#include "adj.h"
#include <math.h>

static double decay(double x) { return exp(-x * x); }

static double tdecay(double x, double dx) {
  return -x * exp(-x * x) * dx; //~ wrong: rule
}

int main(void) {
  __adj_check_tangent((void *)decay, (void *)tdecay, enzyme_dup, 0.75, 1.0);
  return 0;
}
