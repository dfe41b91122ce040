// The error function of a complex number by its series near the origin and by a continued fraction far from it, and the inverse of a
// complex number; the result's two parts are combined into one number.
#include "adj.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>

static double complex error_function(double complex z) {
  double complex square = z * z;
  if (cabs(z) < 2.5) {
    double complex term = z, sum = z;
    for (int n = 1; n < 40; n++) {
      term *= -square / n;
      sum += term / (2 * n + 1);
    }
    return 2.0 / sqrt(acos(-1.0)) * sum;
  }
  double complex fraction = z;
  for (int n = 30; n > 0; n--)
    fraction = z + 0.5 * n / fraction;
  return 1.0 - cexp(-square) / (sqrt(acos(-1.0)) * fraction);
}

static double plasma(const double *re, const double *im, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double complex z = re[i] + im[i] * I;
    double complex w = error_function(z), inverse = 1.0 / (z + 0.5);
    sum += creal(w * inverse) + 0.5 * cimag(w) * carg(inverse) + creal(w * conj(w));
  }
  return sum;
}

int main(void) {
  double re[4] = {0.3, 1.2, 2.1, 3.0}, im[4] = {0.7, -0.4, 1.7, 0.2}, dre[4] = {0}, dim[4] = {0};
  __enzyme_autodiff((void *)plasma, enzyme_dup, re, dre, enzyme_dup, im, dim, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.12g %.12g\n", dre[i], dim[i]);
  return 0;
}
