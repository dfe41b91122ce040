// Sums in one piece.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double bins[4] = {0};
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    bins[i % 4] += x[i] * x[i];
  }
  return bins[0] * bins[1] + bins[2] * bins[3];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
