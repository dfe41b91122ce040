// Near zero (1 - cos x) / x² loses digits in double precision, and none in exact arithmetic: the derivative is
// determined, -x / 12, and the one by hand is off by 10⁻⁶ of it. Evidence: a wrong local partial where nothing was
// overwritten
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(double x) {
  return (1.0 - cos(x)) / (x * x);
}

static double df(double x, double seed) {
  return (sin(x) / (x * x) - 2.0 * (1.0 - cos(x)) / (x * x * x)) * (1.0 + 1e-6) * seed; //~ wrong: rule
}

int main(void) {
  double x = 0.125;
  printf("%.6f\n", f(x));
  __adj_check_gradient((void *)f, (void *)df, enzyme_out, x, 1.0);
  return 0;
}
