// Differences in one piece.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double rest = 100;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    rest -= x[i] * sin(x[i]);
  }
  return rest * rest;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
