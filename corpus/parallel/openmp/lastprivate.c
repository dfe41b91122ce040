// The value of the last iteration.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double last = 0;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < n; i++)
    last = x[i] * x[i] * x[0];
  return last * last;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
