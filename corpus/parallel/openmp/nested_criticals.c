// Critical sections within each other.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6 };

static double f(const double *x, int n) {
  double a = 1, b = 1;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical(one)
    {
      a *= x[i];
#pragma omp critical(two)
      b *= 1 + x[i] * x[0];
    }
#pragma omp critical(two)
    b *= 2 - x[i];
  }
  return a + b;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
