// Extremes by comparisons in one piece, and which of several values is kept.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 8 };

static double f(const double *x, int n) {
  double largest = 0, least = 100;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double value = (x[i] - 0.7) * (x[i] - 0.7) + 0.1 * x[i];
#pragma omp atomic compare
    if (value > largest) {
      largest = value;
    }
#pragma omp atomic compare
    if (value < least) {
      least = value;
    }
  }
  return largest * largest + least;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
