// Lentz-like continued fractions: forward recurrence of numerators and denominators, with rescaling.
#include "adj.h"
#include <stdio.h>

static double fraction(const double *a, int n) {
  double value = a[n - 1];
  for (int i = n - 2; i >= 0; i--)
    value = a[i] + 1.0 / value;
  return value;
}

static double arctangent(double x) {
  double p0 = 0.0, p1 = x, q0 = 1.0, q1 = 1.0;
  for (int k = 1; k < 40; k++) {
    double b = 2.0 * k + 1.0, a = k * k * x * x;
    double p2 = b * p1 + a * p0, q2 = b * q1 + a * q0;
    p0 = p1 / q2;
    q0 = q1 / q2;
    p1 = p2 / q2;
    q1 = 1.0;
  }
  return p1 / q1;
}

int main(void) {
  double a[6] = {1.0, 2.5, 3.0, 0.7, 1.2, 4.0}, da[6] = {0};
  printf("%.17g\n", fraction(a, 6));
  __enzyme_autodiff((void *)fraction, enzyme_dup, a, da, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.17g\n", da[i]);
  for (int i = 1; i < 4; i++)
    printf("%.17g %.17g\n", arctangent(0.4 * i), __enzyme_autodiff((void *)arctangent, 0.4 * i));
  return 0;
}
