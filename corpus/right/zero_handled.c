// Points at zero that a careless formula would spoil: x^2 by pow, a product with a zero factor.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double powers(const double *x, int n) {
  double product = 1.0, sum = 0.0;
  for (int i = 0; i < n; i++) {
    product *= x[i];
    sum += pow(x[i], 2.0);
  }
  return product + sum;
}

static void dpowers(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++) {
    double others = 1.0;
    for (int j = 0; j < n; j++)
      if (j != i)
        others *= x[j];
    dx[i] += seed * (others + 2.0 * x[i]);
  }
}

int main(void) {
  double x[3] = {1.5, 0.0, -0.5}, dx[3] = {0};
  __adj_check_gradient((void *)powers, (void *)dpowers, enzyme_dup, x, dx, enzyme_const, 3, 1.0);
  for (int i = 0; i < 3; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
