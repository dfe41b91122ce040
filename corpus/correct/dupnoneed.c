// enzyme_dupnoneed: the output's primal value is not wanted, only its adjoint is consumed.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static void softplus_sum(double *out, const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += log(1.0 + exp(x[i]));
  *out = sum * sum;
}

int main(void) {
  double x[5] = {0.5, -1.0, 2.0, 0.1, -0.3}, dx[5] = {0};
  double out = 0.0, dout = 1.0;
  __enzyme_autodiff((void *)softplus_sum, enzyme_dupnoneed, &out, &dout, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", dx[i]);
  printf("%.17g\n", dout);
  dout = -2.0;
  __enzyme_autodiff((void *)softplus_sum, enzyme_dupnoneed, &out, &dout, enzyme_dup, x, dx, enzyme_const, 3);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
