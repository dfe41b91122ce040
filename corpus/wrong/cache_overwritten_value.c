// Cache: the primal squares its array in place; `df` runs it first and then differentiates with the
// overwritten values instead of the cached old ones. Evidence: the partial is the right function of
// the wrong dynamic instance: the value read was overwritten between its primal use and this use.
#include "adj.h"
#include <stdio.h>

static void square_in_place(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i] + 0.5 * x[i];
}

static void dsquare_in_place(double *x, double *dx, int n) {
  square_in_place(x, n);
  for (int i = n - 1; i >= 0; i--)
    dx[i] *= 2.0 * x[i] + 0.5; //~ wrong: cache
}

int main(void) {
  double x[4] = {0.7, 1.3, -0.6, 2.2}, dx[4] = {1.0, 1.0, 1.0, 1.0};
  __adj_check_gradient((void *)square_in_place, (void *)dsquare_in_place, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", x[i]);
  return 0;
}
