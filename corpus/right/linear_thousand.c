// A linear function of a thousand variables: every component is exact.
#include "adj.h"
#include <stdio.h>

#define N 1000

static double weighted_sum(const double *x, const double *w, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += w[i] * x[i];
  return sum;
}

static void dweighted_sum(const double *x, double *dx, const double *w, int n, double seed) {
  (void)x;
  for (int i = 0; i < n; i++)
    dx[i] += w[i] * seed;
}

int main(void) {
  static double x[N], dx[N], w[N];
  for (int i = 0; i < N; i++) {
    x[i] = 0.001 * i;
    w[i] = 1.0 / (1.0 + i);
  }
  __adj_check_gradient((void *)weighted_sum, (void *)dweighted_sum, enzyme_dup, x, dx, enzyme_const, w, enzyme_const,
                       N, 1.0);
  printf("%.17g\n%.17g %.17g\n", weighted_sum(x, w, N), dx[0], dx[N - 1]);
  return 0;
}
