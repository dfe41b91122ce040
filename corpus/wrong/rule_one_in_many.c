// Rule: one of 12,000 components is off by 10⁻⁹ of itself; nothing in function or gradient is rounded but the
// arithmetic. Evidence: sums with random signs differ from the reference, and so does the component that is found by
// taking them apart.
#include "adj.h"
#include <stdlib.h>

static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[i];
  return s;
}

static void df(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++)
    dx[i] += 3 * x[i] * x[i] * seed * (i == 4123 ? 1 + 1e-9 : 1); //~ wrong: rule
}

int main(void) {
  int n = 12000;
  double *x = malloc(n * sizeof *x), *dx = calloc(n, sizeof *dx);
  for (int i = 0; i < n; i++)
    x[i] = 1 + i / 65536.0;
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, enzyme_const, n, 1.0);
  free(x);
  free(dx);
  return 0;
}
