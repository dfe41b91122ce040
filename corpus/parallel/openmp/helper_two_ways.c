// A helper that two loops call for different results, side by side.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

__attribute__((noinline)) static void step(const double *x, double *y, int i) { y[i] = x[i] * x[i] + sin(x[i]); }

static double f(const double *x, int n) {
  double y[N], z[N];
#pragma omp parallel
  {
#pragma omp for nowait schedule(static, 1)
    for (int i = 0; i < n; i++)
      step(x, y, i);
#pragma omp for schedule(static, 4)
    for (int i = 0; i < n; i++)
      step(x, z, n - 1 - i);
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * z[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
