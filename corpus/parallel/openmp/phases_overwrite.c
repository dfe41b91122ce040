// A buffer that is overwritten in each of several phases.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double a[N], b[N];
  memcpy(a, x, sizeof a);
#pragma omp parallel
  for (int step = 0; step < 3; step++) {
#pragma omp for
    for (int i = 0; i < n; i++)
      b[i] = a[i] * a[(i + 1) % n];
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = sin(b[i]) + 0.5 * a[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
