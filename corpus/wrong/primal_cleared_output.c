// Primal corruption: where the shadow of the output must be zeroed, `df` zeroes the output as well.
// Evidence: the derivative is right, but the primal result after `df` is not that of `f`.
#include "adj.h"
#include <stdio.h>

static void double_all(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 2.0 * x[i] + 1.0;
}

static void ddouble_all(const double *x, double *dx, double *y, double *dy, int n) {
  double_all(x, y, n);
  for (int i = 0; i < n; i++) {
    dx[i] += 2.0 * dy[i];
    dy[i] = 0.0;
    y[i] = 0.0; //~ wrong: primal-corruption
  }
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0}, y[3] = {0}, dy[3] = {1.0, -1.0, 0.5};
  __adj_check_gradient((void *)double_all, (void *)ddouble_all, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3);
  printf("%.17g\n", y[0]);
  return 0;
}
