// libm: error functions, gamma functions and Bessel functions.
#define _GNU_SOURCE
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double normal_cdf(double x) {
  return 0.5 * erfc(-x / sqrt(2.0));
}
static double error_product(double x) {
  return erf(x) * erfc(0.5 * x) + x * erf(x * x);
}
static double gammas(double x) {
  return tgamma(x) + lgamma(2.0 * x) * x;
}
static double bessel(double x) {
  return j0(x) + x * j1(x) - y0(x) * y1(1.0 + x);
}

int main(void) {
  const double points[] = {0.4, 1.3, 3.6};
  for (int i = 0; i < 3; i++) {
    double x = points[i];
    printf("%.13g %.13g\n", normal_cdf(x), __enzyme_autodiff((void *)normal_cdf, x));
    printf("%.13g %.13g\n", error_product(x), __enzyme_autodiff((void *)error_product, x));
    printf("%.13g %.13g\n", gammas(x), __enzyme_autodiff((void *)gammas, x));
    printf("%.13g %.13g\n", bessel(x), __enzyme_autodiff((void *)bessel, x));
  }
  return 0;
}
