// A sum in a critical section.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double sum = 1;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    const double y = x[i] * x[i];
#pragma omp critical
    sum += y;
  }
  return sum * sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
