// Stale shadow: the output is overwritten by the primal, so its shadow must be consumed and end at
// zero; `df` consumes but never zeroes it, and a second call would count it again. Evidence: the
// shadow of a cell whose entry value is dead leaves `df` with the value it had on entry. No store
// of `df` touches that shadow, so the line is that of its signature.
#include "adj.h"
#include <stdio.h>

static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

static void dsquares(const double *x, double *dx, double *y, const double *dy, int n) { //~ wrong: stale-shadow
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
  for (int i = n - 1; i >= 0; i--)
    dx[i] += 2.0 * x[i] * dy[i];
}

int main(void) {
  double x[3] = {1.5, -0.5, 2.0}, dx[3] = {0}, y[3] = {0}, dy[3] = {1.0, 0.5, -2.0};
  __adj_check_gradient((void *)squares, (void *)dsquares, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3);
  printf("%.17g\n", y[0]);
  return 0;
}
