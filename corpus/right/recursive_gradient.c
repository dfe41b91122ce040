// A recursive primal and a recursive gradient: the adjoint goes down the recursion as an argument.
#include "adj.h"
#include <stdio.h>

static double nested(const double *x, int n) {
  if (n == 0)
    return 1.0;
  double rest = nested(x + 1, n - 1);
  return x[0] * rest + 0.5 * rest * rest;
}

static void dnested(const double *x, double *dx, int n, double seed) {
  if (n == 0)
    return;
  double rest = nested(x + 1, n - 1);
  dx[0] += seed * rest;
  dnested(x + 1, dx + 1, n - 1, seed * (x[0] + rest));
}

int main(void) {
  double x[5] = {0.3, -0.8, 1.1, 0.4, -0.2}, dx[5] = {0};
  __adj_check_gradient((void *)nested, (void *)dnested, enzyme_dup, x, dx, enzyme_const, 5, 1.0);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
