// Numbers of single precision.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  float y[N];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    y[i] = (float)x[i];
  double z[N];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    z[i] = x[i] * x[i] + 0 * y[i];
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += z[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
