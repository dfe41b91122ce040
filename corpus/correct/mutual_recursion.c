// Two functions that call each other, one adding and one multiplying along an array.
#include "adj.h"
#include <stdio.h>

static double add_step(const double *x, int n);

static double multiply_step(const double *x, int n) {
  if (n == 0)
    return 1.0;
  return x[0] * add_step(x + 1, n - 1) + 0.1 * x[0] * x[0];
}

static double add_step(const double *x, int n) {
  if (n == 0)
    return 0.5;
  double rest = multiply_step(x + 1, n - 1);
  return x[0] + rest * rest;
}

int main(void) {
  for (int n = 1; n <= 7; n += 3) {
    double x[7], dx[7] = {0};
    for (int i = 0; i < 7; i++)
      x[i] = 0.3 + 0.15 * i;
    printf("%.17g\n", multiply_step(x, n));
    __enzyme_autodiff((void *)multiply_step, enzyme_dup, x, dx, enzyme_const, n);
    for (int i = 0; i < n; i++)
      printf("%.17g\n", dx[i]);
  }
  return 0;
}
