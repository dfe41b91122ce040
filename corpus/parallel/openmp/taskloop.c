// A loop whose chunks are tasks.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double y[N];
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(2)
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i] * x[(i + 1) % n];
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i];
  return sum * sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
