// Iterations given out one after the other.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double y[N];
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < n; i++) {
    double z = x[i];
    for (int k = 0; k < i; k++)
      z = sin(z) + x[k];
    y[i] = z;
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
