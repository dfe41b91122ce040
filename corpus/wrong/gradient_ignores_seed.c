// Protocol: the gradient is right for the seed 1 it is called with, but does not depend on its seed.
// Evidence: a gradient is linear in the seed; with twice the seed this one does not double.
#include "adj.h"
#include <stdio.h>

static double cube_sum(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[i];
  return sum;
}

static void dcube_sum(const double *x, double *dx, int n, double seed) {
  (void)seed;
  for (int i = 0; i < n; i++)
    dx[i] += 3.0 * x[i] * x[i]; //~ protocol: linear
}

int main(void) {
  double x[3] = {0.5, 1.5, -1.0}, dx[3] = {0};
  __adj_check_gradient((void *)cube_sum, (void *)dcube_sum, enzyme_dup, x, dx, enzyme_const, 3, 1.0);
  printf("%.17g\n", cube_sum(x, 3));
  return 0;
}
