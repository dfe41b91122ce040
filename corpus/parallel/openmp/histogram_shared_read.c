// Every iteration reads a small table.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double table[4], y[N];
  for (int k = 0; k < 4; k++)
    table[k] = x[k] * x[k];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    y[i] = table[i % 4] * x[i] + table[(i * 7) % 4];
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
