// A variable of each thread.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double own;
#pragma omp threadprivate(own)
static double f(const double *x, int n) {
  double y[N];
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    own = x[i] * x[i];
    y[i] = own * x[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
