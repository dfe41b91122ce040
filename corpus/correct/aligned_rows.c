// Memory from aligned_alloc: rows of a matrix padded to cache lines, and a vector beside them.
#include "adj.h"
#include <stdlib.h>

enum { N = 5, STRIDE = 8 };

static double energy(const double *x, const double *w) {
  double *rows = aligned_alloc(64, N * STRIDE * sizeof(double));
  double *sums = aligned_alloc(64, STRIDE * sizeof(double));
  for (int i = 0; i < N; i++) {
    sums[i] = 0.0;
    for (int j = 0; j < N; j++) {
      rows[i * STRIDE + j] = w[i] * x[j] + (i == j ? x[i] * x[i] : 0.0);
      sums[i] += rows[i * STRIDE + j] * x[j];
    }
  }
  double e = 0.0;
  for (int i = 0; i < N; i++) e += sums[i] * sums[i] * rows[i * STRIDE];
  free(sums);
  free(rows);
  return e;
}

int main(void) {
  double x[N] = {0.5, -1.0, 0.25, 2.0, 1.5}, dx[N] = {0}, w[N] = {1.0, 0.5, -0.25, 0.75, 2.0}, dw[N] = {0};
  __enzyme_autodiff((void *)energy, enzyme_dup, x, dx, enzyme_dup, w, dw);
  return dx[0] != 0.0 ? 0 : 1;
}
