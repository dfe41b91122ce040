// Edge: entries that are exactly zero are skipped as if their derivative were zero too. Evidence:
// only components at the point 0 are wrong, and `df` is right when the point is moved to either
// side; the comparison exists in `df` alone. No store reaches the cell: the line of the signature.
#include "adj.h"
#include <stdio.h>

static double sparse_dot(const double *x, const double *w, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * w[i];
  return sum;
}

static void dsparse_dot(const double *x, double *dx, const double *w, int n, double seed) { //~ wrong: edge
  for (int i = 0; i < n; i++) {
    if (x[i] == 0.0)
      continue;
    dx[i] += w[i] * seed;
  }
}

int main(void) {
  double x[4] = {1.0, 0.0, -2.0, 0.0}, dx[4] = {0}, w[4] = {0.5, 1.5, 2.5, 3.5};
  __adj_check_gradient((void *)sparse_dot, (void *)dsparse_dot, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, 4,
                       1.0);
  printf("%.17g\n", sparse_dot(x, w, 4));
  return 0;
}
