// A copy of a number for each thread.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double start = x[2] * x[2], y[N];
#pragma omp parallel for firstprivate(start)
  for (int i = 0; i < n; i++)
    y[i] = start * x[i] * x[i];
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
