// A maximum in one piece.
// adj-flags: -fopenmp -fopenmp-version=51
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double top = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    const double y = x[i] * sin(3 * x[i]);
#pragma omp atomic compare
    if (top < y)
      top = y;
  }
  return top * top * x[0];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
