// log-sum-exp with the maximum subtracted first: two sweeps over the data, one of them selecting.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 6

static double log_sum_exp(const double *x, int n) {
  double top = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > top)
      top = x[i];
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - top);
  return top + log(sum);
}

int main(void) {
  double x[N] = {0.1, -2.0, 3.5, 3.25, 1.0, -0.5}, dx[N] = {0};
  printf("%.17g\n", log_sum_exp(x, N));
  __enzyme_autodiff((void *)log_sum_exp, enzyme_dup, x, dx, enzyme_const, N);
  double total = 0.0;
  for (int i = 0; i < N; i++) {
    printf("%.17g\n", dx[i]);
    total += dx[i];
  }
  printf("%.6f\n", total);
  return 0;
}
