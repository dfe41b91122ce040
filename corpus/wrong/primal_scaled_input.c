// Primal corruption: `df` normalises its input in place and forgets to undo it. The derivative is
// right. Evidence: primal memory after `df` differs from primal memory after `f`.
#include "adj.h"
#include <stdio.h>

static double sum_of_squares(double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

static void dsum_of_squares(double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++) {
    x[i] *= 2.0; //~ wrong: primal-corruption
    dx[i] += x[i] * seed;
  }
}

int main(void) {
  double x[4] = {0.5, 1.5, -1.0, 3.0}, dx[4] = {0};
  __adj_check_gradient((void *)sum_of_squares, (void *)dsum_of_squares, enzyme_dup, x, dx, enzyme_const, 4, 1.0);
  printf("%.17g\n", x[0]);
  return 0;
}
