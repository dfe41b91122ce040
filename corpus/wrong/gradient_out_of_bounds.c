// Undefined behaviour in the gradient: the reverse sweep of a difference starts one cell too far.
#include "adj.h"
#include <stdio.h>

static double variation(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++)
    sum += (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
  return sum;
}

static void dvariation(const double *x, double *dx, int n, double seed) {
  for (int i = n - 1; i >= 0; i--) { //~ [O1] ub-in-gradient: out-of-bounds
    double d = 2.0 * (x[i + 1] - x[i]) * seed; //~ [O0] ub-in-gradient: out-of-bounds
    dx[i + 1] += d; //~ [O2,O3] ub-in-gradient: out-of-bounds
    dx[i] -= d;
  }
}

int main(void) {
  double x[4] = {1.0, 0.5, 2.0, 3.5}, dx[4] = {0};
  __adj_check_gradient((void *)variation, (void *)dvariation, enzyme_dup, x, dx, enzyme_const, 4, 1.0);
  printf("%.17g\n", variation(x, 4));
  return 0;
}
