// Two loops as one.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 5 };

static double f(const double *x, int n) {
  double y[N * N];
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i * n + j] = x[i] * x[j] + sin(x[i]);
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    sum += y[i] * y[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
