// Conventions of complex gradients are settled by the real and imaginary parts: the gradient of a function of the parts, taken through
// complex arithmetic, is that of the same function written in real arithmetic, with and without a conjugation.
#include "adj.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>

static double by_complex(const double complex *z, int n) {
  double complex sum = 0.0;
  for (int k = 0; k < n; k++) {
    double complex twist = cexp(z[k] * I) * conj(z[(k + 1) % n]);
    sum += twist / (2.0 + z[k]) + cexp(-2.0 * acos(-1.0) * I * k / n) * z[k];
  }
  return creal(sum) + 2.0 * cimag(sum) + creal(sum * conj(sum));
}

static double by_parts(const double *z, int n) {
  double re = 0.0, im = 0.0;
  for (int k = 0; k < n; k++) {
    double a = z[2 * k], b = z[2 * k + 1], c = z[2 * ((k + 1) % n)], d = -z[2 * ((k + 1) % n) + 1];
    double er = exp(-b) * cos(a), ei = exp(-b) * sin(a), tr = er * c - ei * d, ti = er * d + ei * c;
    double q = (2.0 + a) * (2.0 + a) + b * b, angle = -2.0 * acos(-1.0) * k / n;
    re += (tr * (2.0 + a) + ti * b) / q + cos(angle) * a - sin(angle) * b;
    im += (ti * (2.0 + a) - tr * b) / q + cos(angle) * b + sin(angle) * a;
  }
  return re + 2.0 * im + re * re + im * im;
}

int main(void) {
  double complex z[3] = {0.3 + 0.8 * I, -0.5 + 0.1 * I, 1.1 - 0.6 * I}, dz[3] = {0};
  double parts[6], dparts[6] = {0};
  int wrong = 0;
  for (int k = 0; k < 3; k++) {
    parts[2 * k] = creal(z[k]);
    parts[2 * k + 1] = cimag(z[k]);
  }
  __enzyme_autodiff((void *)by_complex, enzyme_dup, z, dz, enzyme_const, 3);
  __enzyme_autodiff((void *)by_parts, enzyme_dup, parts, dparts, enzyme_const, 3);
  for (int k = 0; k < 3; k++) {
    wrong += fabs(creal(dz[k]) - dparts[2 * k]) > 1e-13 || fabs(cimag(dz[k]) - dparts[2 * k + 1]) > 1e-13;
    printf("%.12g %.12g %d\n", creal(dz[k]), cimag(dz[k]), wrong);
  }
  return wrong;
}
