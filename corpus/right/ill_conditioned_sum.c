// Ill-conditioned value, perfectly right gradient: (1e8 + x) - 1e8 loses half of the digits of x,
// and its derivative is 1 whatever the primal lost.
#include "adj.h"
#include <stdio.h>

static double shifted(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += (1e8 + x[i]) - 1e8;
  return sum;
}

static void dshifted(const double *x, double *dx, int n, double seed) {
  (void)x;
  for (int i = 0; i < n; i++)
    dx[i] += seed;
}

int main(void) {
  double x[3] = {0.1, 0.7, -0.3}, dx[3] = {0.5, 0.0, -1.0};
  __adj_check_gradient((void *)shifted, (void *)dshifted, enzyme_dup, x, dx, enzyme_const, 3, 1.0);
  printf("%.17g\n", shifted(x, 3));
  for (int i = 0; i < 3; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
