// Chunks whose elements are overwritten by their own thread.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double a[N];
  memcpy(a, x, sizeof a);
#pragma omp parallel
  {
#pragma omp for schedule(static, 3) nowait
    for (int i = 0; i < n; i++)
      a[i] = a[i] * a[i];
#pragma omp for schedule(static, 3)
    for (int i = 0; i < n; i++)
      a[i] = a[i] * sin(x[i]);
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
