// Finite numbers made of infinite ones, on which they do not depend: what overflows although no divisor is zero, as an
// exponential does, or as the branch around it tells.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double logistic(double a, double b) { return 1 / (1 + exp(-a / b)); }

static double guarded(double x, double d) {
  double y = x;
  if (d > 0.1)
    y = x / d;
  double big = y * 1e200 * y * 1e200;
  return x * 0.5 + 3 / (1 + big);
}

static double chosen(double x, double d) {
  double q = 1 / d;
  double y = fabs(d) > 1e-3 ? x * q : x;
  double big = y * 1e200 * y * 1e200;
  return x * 0.25 + y / (1 + big);
}

typedef struct {
  double a, b;
} Both;

Both __enzyme_autodiff_two(void *, double, double);
double __enzyme_fwddiff_two(void *, double, double, double, double);

int main(void) {
  Both d = __enzyme_autodiff_two((void *)logistic, -800.0, 1.0);
  printf("%g %g %g\n", d.a, d.b, __enzyme_fwddiff_two((void *)logistic, -800.0, 1.0, 1.0, 0.5));
  d = __enzyme_autodiff_two((void *)guarded, 2.0, 0.5);
  printf("%g %g %g\n", d.a, d.b, __enzyme_fwddiff_two((void *)guarded, 2.0, 0.5, 1.0, 0.5));
  d = __enzyme_autodiff_two((void *)chosen, 2.0, 0.5);
  printf("%g %g %g\n", d.a, d.b, __enzyme_fwddiff_two((void *)chosen, 2.0, 0.5, 1.0, 0.5));
  return 0;
}
