// Tasks that are deferred, or are not.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6 };

static double power(double x, int k) {
  double y = 1;
  if (k == 0)
    return 1;
#pragma omp task shared(y) if (k > 2)
  y = power(x, k - 1) * x;
#pragma omp taskwait
  return y;
}
static double f(const double *x, int n) {
  double sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++)
    sum += power(x[i], i % 5);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
