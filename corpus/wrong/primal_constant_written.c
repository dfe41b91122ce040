// Primal corruption: a constant argument's memory is used as scratch. Evidence: memory reachable
// through an `enzyme_const` pointer is changed by `df` and not by `f`.
#include "adj.h"
#include <stdio.h>

static double weighted(const double *x, const double *w, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += w[i] * x[i] * x[i];
  return sum;
}

static void dweighted(const double *x, double *dx, double *w, int n, double seed) {
  for (int i = 0; i < n; i++) {
    w[i] *= 2.0 * x[i]; //~ wrong: primal-corruption
    dx[i] += w[i] * seed;
  }
}

int main(void) {
  double x[3] = {1.5, 0.5, -2.0}, dx[3] = {0}, w[3] = {1.0, 3.0, 0.25};
  __adj_check_gradient((void *)weighted, (void *)dweighted, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, 3, 1.0);
  printf("%.17g\n", w[1]);
  return 0;
}
