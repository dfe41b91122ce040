// Horner's scheme: the running value is overwritten each step and needed by the reverse pass.
#include "adj.h"
#include <stdio.h>

#define DEGREE 7

static double horner(const double *c, int degree, double x) {
  double p = c[degree];
  for (int i = degree - 1; i >= 0; i--)
    p = p * x + c[i];
  return p;
}

int main(void) {
  double c[DEGREE + 1], dc[DEGREE + 1];
  for (int i = 0; i <= DEGREE; i++) {
    c[i] = 1.0 / (i + 1.0) - 0.3 * (i % 3);
    dc[i] = 0.0;
  }
  double x = 0.7;
  printf("%.17g\n", horner(c, DEGREE, x));
  double dx = __enzyme_autodiff((void *)horner, enzyme_dup, c, dc, enzyme_const, DEGREE, enzyme_out, x);
  printf("%.17g\n", dx);
  for (int i = 0; i <= DEGREE; i++)
    printf("%.17g\n", dc[i]);
  return 0;
}
