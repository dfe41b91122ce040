// Recursion on an integer: binary powering, where both branches of the recursion use the result.
#include "adj.h"
#include <stdio.h>

static double power(double x, int n) {
  if (n == 0)
    return 1.0;
  double half = power(x, n / 2);
  if (n % 2 == 0)
    return half * half;
  return half * half * x;
}

static double geometric(double x, int n) {
  if (n < 0)
    return 0.0;
  return geometric(x, n - 1) + power(x, n);
}

int main(void) {
  for (int n = 0; n <= 11; n++) {
    double x = 0.9 + 0.05 * n;
    double d = __enzyme_autodiff((void *)power, enzyme_out, x, enzyme_const, n);
    double g = __enzyme_autodiff((void *)geometric, enzyme_out, x, enzyme_const, n);
    printf("%.17g %.17g %.17g %.17g\n", power(x, n), d, geometric(x, n), g);
  }
  return 0;
}
