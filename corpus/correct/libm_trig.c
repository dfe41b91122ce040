// libm: the trigonometric and hyperbolic families with their inverses.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double circular(double x) {
  return sin(x) + 2.0 * cos(x) * tan(0.5 * x);
}
static double inverse_circular(double x) {
  return asin(x) * acos(0.5 * x) + atan(3.0 * x);
}
static double hyperbolic(double x) {
  return sinh(x) * tanh(x) - cosh(0.7 * x);
}
static double inverse_hyperbolic(double x) {
  return asinh(x) + acosh(1.0 + x * x) * atanh(0.4 * x);
}
static double two_arguments(double x) {
  return atan2(x, 1.0 - x) + hypot(x, 2.0 * x + 0.5);
}
static double around(double x) {
  return two_arguments(x) * circular(inverse_circular(x)) + hyperbolic(inverse_hyperbolic(x));
}

int main(void) {
  double (*const table[])(double) = {circular, inverse_circular, hyperbolic, inverse_hyperbolic,
                                     two_arguments, around};
  const double points[] = {0.15, 0.6, 0.85};
  for (int i = 0; i < 3; i++) {
    double x = points[i];
    for (int k = 0; k < 6; k++)
      printf("%.15g\n", table[k](x));
    printf("%.15g\n", __enzyme_autodiff((void *)circular, x));
    printf("%.15g\n", __enzyme_autodiff((void *)inverse_circular, x));
    printf("%.15g\n", __enzyme_autodiff((void *)hyperbolic, x));
    printf("%.15g\n", __enzyme_autodiff((void *)inverse_hyperbolic, x));
    printf("%.15g\n", __enzyme_autodiff((void *)two_arguments, x));
    printf("%.15g\n", __enzyme_autodiff((void *)around, x));
  }
  return 0;
}
