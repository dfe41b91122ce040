// Numbers taken apart into mantissa and exponent and put together again, in all three formats: frexp, ldexp, scalbn, modf.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double pieces(double x, float y, long double z) {
  int e, f, g;
  double whole, m = frexp(x, &e), fraction = modf(x * 3.0, &whole);
  float n = frexpf(y, &f);
  long double o = frexpl(z, &g), part, rest = modfl(z, &part);
  return m * e + ldexp(m, e + 1) + fraction * whole + scalbnf(n, f - 1) * n + (double)(o * o * g + ldexpl(o, 2) + rest);
}

static double product(const double *x, int n) {
  double mantissa = 1.0;
  int exponent = 0;
  for (int i = 0; i < n; i++) {
    int e;
    mantissa = frexp(mantissa * x[i], &e);
    exponent += e;
  }
  return log(mantissa) + exponent * log(2.0) + ldexp(mantissa, exponent > 10 ? 10 : exponent);
}

struct components {
  double x;
  float y;
  long double z;
};
struct components __enzyme_autodiff_three(void *, ...);

int main(void) {
  struct components d = __enzyme_autodiff_three((void *)pieces, enzyme_out, 5.7, enzyme_out, 0.3f, enzyme_out, 11.25L);
  printf("%.15g %.7g %.15Lg\n", d.x, d.y, d.z);
  double x[5] = {3.5, 100.0, 0.01, 7.0, 0.6}, dx[5] = {0};
  __enzyme_autodiff((void *)product, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.15g\n", dx[i]);
  return 0;
}
