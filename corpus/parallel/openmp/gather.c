// Each iteration reads its neighbours.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double y[N] = {0};
#pragma omp parallel for schedule(static, 2)
  for (int i = 1; i < n - 1; i++)
    y[i] = x[i - 1] * x[i] + x[i + 1] * x[i + 1];
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
