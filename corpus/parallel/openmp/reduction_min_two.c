// A minimum and a sum at a time.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double low = 1e9, sum = 0;
#pragma omp parallel for reduction(min : low) reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    const double y = cos(x[i]) + 0.1 * x[i];
    low = fmin(low, y);
    sum += y * y;
  }
  return low * sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
