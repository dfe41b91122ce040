// `frexp`, `remquo` and `lgamma_r` put integers where a pointer says, again in each trip of a loop; the reverse pass needs those of its trip.
#define _DEFAULT_SOURCE
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 4

static double scaled(const double *x, int n) {
  double total = 1.0;
  for (int i = 0; i < n; i++) {
    int exponent, quotient, sign;
    double mantissa = frexp(x[i], &exponent);
    double rest = remquo(x[i], 0.75, &quotient), height = lgamma_r(x[i], &sign);
    total *= 1.5 + mantissa * mantissa * exponent + rest * quotient + sin(height) * sign;
  }
  return total;
}

int main(void) {
  double x[N] = {0.3, 5.0, -1.4, 20.0}, dx[N] = {0};
  printf("%.17g\n", scaled(x, N));
  __enzyme_autodiff((void *)scaled, enzyme_dup, x, dx, enzyme_const, N);
  printf("%.17g %.17g %.17g %.17g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
