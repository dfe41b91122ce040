// Double add: a contribution is accumulated once in the loop and once more after it. Evidence: each
// component is exactly twice the right one; the first store leaves the right value, the second
// doubles it.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double log_sum(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += log(x[i]);
  return sum;
}

static void dlog_sum(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++)
    dx[i] += seed / x[i];
  for (int i = 0; i < n; i++)
    dx[i] += seed / x[i]; //~ wrong: double-add
}

int main(void) {
  double x[4] = {0.5, 1.5, 2.5, 4.0}, dx[4] = {0};
  __adj_check_gradient((void *)log_sum, (void *)dlog_sum, enzyme_dup, x, dx, enzyme_const, 4, 1.0);
  printf("%.17g\n", log_sum(x, 4));
  return 0;
}
