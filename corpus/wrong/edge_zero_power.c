// Edge: x^2 is differentiated as 2 x^2 / x, which is 0/0 at zero, where the derivative is 0.
// Evidence: the gradient is not finite at a point where the reference is, and it is right at every
// neighbouring point.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double quadratic(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += pow(x[i], 2.0) + x[i];
  return sum;
}

static void dquadratic(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++)
    dx[i] += seed * (2.0 * pow(x[i], 2.0) / x[i] + 1.0); //~ wrong: edge
}

int main(void) {
  double x[3] = {1.5, 0.0, -0.5}, dx[3] = {0};
  __adj_check_gradient((void *)quadratic, (void *)dquadratic, enzyme_dup, x, dx, enzyme_const, 3, 1.0);
  printf("%.17g\n", quadratic(x, 3));
  return 0;
}
