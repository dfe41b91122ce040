// Forward mode of library functions that store results through pointers or return several.
#define _GNU_SOURCE
#include "adj.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>

static double parts(double x) {
  double whole;
  int exponent;
  double fraction = modf(3.0 * x, &whole);
  double significand = frexp(x * x + 2.0, &exponent);
  return fraction * whole + significand * exponent + ldexp(x, 3);
}

static double angles(double x, double *out) {
  sincos(x * x, &out[0], &out[1]);
  int quotient;
  double rest = remquo(7.0 * x, 2.0, &quotient);
  out[2] = rest * quotient;
  return out[0] * out[1] + fmod(9.0 * x, 4.0);
}

static double spiral(double re, double im, int n) {
  double complex z = re + im * I, sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += z / (z * z + 1.0 + i);
    z *= 0.5 + 0.25 * I;
  }
  return creal(sum) * cimag(sum);
}

static double gammas(double x) { return tgamma(x) + lgamma(2.0 * x) * erf(x) + hypot(x, 3.0) + atan2(x, 2.0); }

int main(void) {
  printf("%.17g\n", __enzyme_fwddiff((void *)parts, 0.9, 1.0));
  double out[3], dout[3] = {5.0, 5.0, 5.0};
  printf("%.17g\n", __enzyme_fwddiff((void *)angles, 0.8, 1.5, out, dout));
  printf("%.17g %.17g %.17g\n", dout[0], dout[1], dout[2]);
  printf("%.17g\n", __enzyme_fwddiff((void *)spiral, 0.6, 1.0, 0.3, -1.0, 4));
  printf("%.17g\n", __enzyme_fwddiff((void *)gammas, 1.7, 1.0));
  return 0;
}
