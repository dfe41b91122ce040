// Complex results: a function that leaves one in memory of the caller keeps it as it was, and one that returns a real number made of
// them gives back value and gradient in one call.
#include "adj.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>

extern int enzyme_primal_return;

static void transfer(const double complex *z, double complex *result, double w) {
  *result = (z[0] + w * z[1]) / (1.0 + cexp(w * z[2]) * z[0]);
}

static double power(double re, double im, double w) {
  double complex z[3] = {re + im * I, re - im * I, im + re * I}, r;
  transfer(z, &r, w);
  return cabs(r) * cabs(r) + creal(r);
}

struct four {
  double value, re, im, w;
};
struct four __enzyme_autodiff_four(void *, ...);

int main(void) {
  int wrong = 0;
  struct four g = __enzyme_autodiff_four((void *)power, enzyme_primal_return, enzyme_out, 0.4, enzyme_out, -0.7, enzyme_out, 1.2);
  wrong += g.value != power(0.4, -0.7, 1.2);
  printf("%.12g %.12g %.12g %.12g\n", g.value, g.re, g.im, g.w);
  double complex z[3] = {0.4 - 0.7 * I, 1.0 + 0.2 * I, -0.3 + 0.5 * I}, expected, result;
  transfer(z, &expected, 1.2);
  for (int part = 0; part < 2; part++) {
    double complex dz[3] = {0}, dresult = part ? I : 1.0;
    result = 0.0;
    double dw = __enzyme_autodiff((void *)transfer, enzyme_dup, z, dz, enzyme_dup, &result, &dresult, enzyme_out, 1.2);
    wrong += creal(result) != creal(expected) || cimag(result) != cimag(expected) || dresult != 0.0;
    for (int i = 0; i < 3; i++)
      printf("%.12g %.12g\n", creal(dz[i]), cimag(dz[i]));
    printf("%.12g\n", dw);
  }
  return wrong;
}
