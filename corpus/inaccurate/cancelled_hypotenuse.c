// The derivative of sqrt(x^2 + 1) - x as x / s - 1: two numbers next to 1 are subtracted, although
// -1 / (s (s + x)) would keep every digit and the derivative itself is well conditioned.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double excess_length(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += sqrt(x[i] * x[i] + 1.0) - x[i];
  return sum;
}

static void dexcess_length(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++) {
    double s = sqrt(x[i] * x[i] + 1.0);
    dx[i] += seed * (x[i] / s - 1.0); //~ inaccurate
  }
}

int main(void) {
  double x[2] = {0.7, 1234567.0}, dx[2] = {0};
  __adj_check_gradient((void *)excess_length, (void *)dexcess_length, enzyme_dup, x, dx, enzyme_const, 2, 1.0);
  printf("%.17g\n", excess_length(x, 2));
  return 0;
}
