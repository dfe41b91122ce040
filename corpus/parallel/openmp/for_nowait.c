// Loops whose threads do not wait.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double y[N], z[N];
#pragma omp parallel
  {
#pragma omp for nowait schedule(static)
    for (int i = 0; i < n; i++)
      y[i] = x[i] * x[i];
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      z[i] = y[i] * sin(x[i]);
  }
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
