// A product of a matrix and a vector.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double y[N];
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += (i + 1.0) / (j + 2.0) * x[j] * x[j];
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
