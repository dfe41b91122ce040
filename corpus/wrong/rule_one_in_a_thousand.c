// Rule: a thousand components, one of which is wrong by a relative 1e-12. Evidence: the gradient's
// own multi-precision lane differs from the reference by far more than the rounding of a literal.
#include "adj.h"
#include <stdio.h>

#define N 1000

static double cubes(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[i];
  return sum;
}

static void dcubes(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++) {
    double coefficient = i == 617 ? 3.000000000003 : 3.0;
    dx[i] += coefficient * x[i] * x[i] * seed; //~ wrong: rule
  }
}

int main(void) {
  static double x[N], dx[N];
  for (int i = 0; i < N; i++)
    x[i] = 0.5 + 0.001 * i;
  __adj_check_gradient((void *)cubes, (void *)dcubes, enzyme_dup, x, dx, enzyme_const, N, 1.0);
  printf("%.17g\n", cubes(x, N));
  return 0;
}
