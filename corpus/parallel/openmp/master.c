// The master prepares what all use.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double scale, y[N];
#pragma omp parallel
  {
#pragma omp master
    scale = x[0] * sin(x[1]);
#pragma omp barrier
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
