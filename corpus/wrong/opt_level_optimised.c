// Opt-level: right without optimisation, wrong with it: an "optimised" build replaces the square by
// the value itself. Evidence: the same source is judged correct at one level and wrong at another.
#include "adj.h"
#include <stdio.h>

static double inverse_sum(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += 1.0 / x[i];
  return sum;
}

static void dinverse_sum(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++) {
#ifdef __OPTIMIZE__
    dx[i] -= seed / x[i]; //~ [O1,O2,O3] wrong: opt-level
#else
    dx[i] -= seed / (x[i] * x[i]);
#endif
  }
}

int main(void) {
  double x[3] = {0.5, 2.0, -4.0}, dx[3] = {0};
  __adj_check_gradient((void *)inverse_sum, (void *)dinverse_sum, enzyme_dup, x, dx, enzyme_const, 3, 1.0);
  printf("%.17g\n", inverse_sum(x, 3));
  return 0;
}
