// A discrete adjoint by hand inside the primal: the continuous problem's own backward solve.
#include "adj.h"
#include <stdio.h>

#define STEPS 24

static double adjoint_sensitivity(double rate, double target) {
  double y[STEPS + 1], lambda = 0.0, sensitivity = 0.0, h = 1.0 / STEPS;
  y[0] = 0.2;
  for (int i = 0; i < STEPS; i++)
    y[i + 1] = y[i] + h * rate * y[i] * (1.0 - y[i]);
  lambda = 2.0 * (y[STEPS] - target);
  for (int i = STEPS - 1; i >= 0; i--) {
    sensitivity += lambda * h * y[i] * (1.0 - y[i]);
    lambda *= 1.0 + h * rate * (1.0 - 2.0 * y[i]);
  }
  return sensitivity * sensitivity + lambda;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    double rate = 0.8 + 0.9 * i;
    double a = __enzyme_autodiff((void *)adjoint_sensitivity, enzyme_out, rate, enzyme_const, 0.6);
    double b = __enzyme_autodiff((void *)adjoint_sensitivity, enzyme_const, rate, enzyme_out, 0.6);
    printf("%.17g %.17g %.17g\n", adjoint_sensitivity(rate, 0.6), a, b);
  }
  return 0;
}
