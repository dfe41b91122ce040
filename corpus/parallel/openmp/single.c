// One thread prepares what all use.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double scale, y[N];
#pragma omp parallel
  {
#pragma omp single
    scale = x[0] * x[1] + x[2];
#pragma omp for
    for (int i = 0; i < n; i++)
      y[i] = scale * x[i];
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
