// A power of two whose exponent is a `long`: the derivative's own call must pass all of its 64 bits.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double unused(double x) {
  return scalbln(0.77 * x, -3) > 0.5 ? 1.0 : 0.0;
}

static double scaled(const double *x, const long *e, int n) {
  double sum = unused(x[0]);
  for (int i = 0; i < n; i++)
    sum += scalbln(x[i] * x[i], e[i]);
  return sum;
}

int main(void) {
  double x[4] = {-0.6449, 1.25, 0.3, -1.75}, dx[4] = {0};
  const long e[4] = {-3, 2, 0, -1};
  printf("%.17g\n", scaled(x, e, 4));
  __enzyme_autodiff((void *)scaled, enzyme_dup, x, dx, enzyme_const, e, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
