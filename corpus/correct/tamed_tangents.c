/* Tangents that are infinite where the result no longer moves: numbers that overflow and are tamed afterwards, or that
 * are not chosen. Forward mode, of functions and of their gradients. */
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double logistic(double x) { return 1 / (1 + exp(2 * x)); }
static double saturated(double x) { return x * tanh(exp(x)); }
static double limited(double x) { return x * x + fmin(exp(400 * x), 5); }
static double gone(double x) {
  double far = x / 1e-310, squared = 0.5 * far * 0.5 * far;
  return 0.3 * x * fmin(squared, 0.4) + 0.1 / (1 + squared);
}
static double saturation(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i] / (1 + exp(x[i])) + atan(exp(x[i]));
  return sum;
}

static double d_logistic(double x) { return __enzyme_autodiff((void *)logistic, x); }
static double d_saturated(double x) { return __enzyme_autodiff((void *)saturated, x); }
static double d_limited(double x) { return __enzyme_autodiff((void *)limited, x); }
static double d_gone(double x) { return __enzyme_autodiff((void *)gone, x); }

int main(void) {
  printf("%g %g %g %g\n", __enzyme_fwddiff((void *)logistic, 800.0, 1.0), __enzyme_fwddiff((void *)saturated, 710.0, 1.0),
         __enzyme_fwddiff((void *)limited, 2.0, 1.0), __enzyme_fwddiff((void *)gone, 2.0, 1.0));
  printf("%g %g %g %g\n", __enzyme_fwddiff((void *)d_logistic, 800.0, 1.0),
         __enzyme_fwddiff((void *)d_saturated, 710.0, 1.0), __enzyme_fwddiff((void *)d_limited, 2.0, 1.0),
         __enzyme_fwddiff((void *)d_gone, 2.0, 1.0));
  double x[3] = {0.5, 710, 1000}, dx[3] = {1, -2, 3};
  printf("%g\n", __enzyme_fwddiff((void *)saturation, enzyme_dup, x, dx, enzyme_const, 3));
  return 0;
}
