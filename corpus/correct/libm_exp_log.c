// libm: exponentials, logarithms, powers and roots.
#define _GNU_SOURCE
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double exponentials(double x) {
  return exp(x) + exp2(0.5 * x) * expm1(-x) + exp10(0.1 * x);
}
static double logarithms(double x) {
  return log(x) * log2(1.0 + x) + log10(2.0 + x) - log1p(x * x);
}
static double powers(double x) {
  return pow(x, 2.5) + pow(1.5, x) + pow(x, x) - pow(x, 3.0);
}
static double roots(double x) {
  return sqrt(x) * cbrt(1.0 + x) / sqrt(1.0 + x * x);
}
static double fused(double x) {
  return fma(x, x + 1.0, exp(-x)) + ldexp(x, 3) + copysign(x * x, -x);
}

int main(void) {
  const double points[] = {0.2, 1.1, 2.7};
  for (int i = 0; i < 3; i++) {
    double x = points[i];
    printf("%.15g %.15g\n", exponentials(x), __enzyme_autodiff((void *)exponentials, x));
    printf("%.15g %.15g\n", logarithms(x), __enzyme_autodiff((void *)logarithms, x));
    printf("%.15g %.15g\n", powers(x), __enzyme_autodiff((void *)powers, x));
    printf("%.15g %.15g\n", roots(x), __enzyme_autodiff((void *)roots, x));
    printf("%.15g %.15g\n", fused(x), __enzyme_autodiff((void *)fused, x));
  }
  return 0;
}
