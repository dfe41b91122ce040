// Nesting: the function multiplies by a derivative that is itself computed, and its gradient takes
// that inner derivative for a constant: the second-order term is missing. Evidence: the primal
// contains a differentiated call, and the error equals x times the derivative of its result.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double inner(double x) {
  return sin(x) * x;
}

static double outer(double x) {
  return x * __enzyme_autodiff((void *)inner, x);
}

static double douter(double x, double seed) {
  double slope = sin(x) + x * cos(x);
  return seed * slope; //~ wrong: nesting
}

int main(void) {
  __adj_check_gradient((void *)outer, (void *)douter, enzyme_out, 0.8, 1.0);
  printf("%.15g\n", outer(0.8));
  return 0;
}
