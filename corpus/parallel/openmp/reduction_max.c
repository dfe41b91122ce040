// The largest of several numbers.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double top = -1e9;
#pragma omp parallel for reduction(max : top)
  for (int i = 0; i < n; i++) {
    const double y = x[i] * sin(3 * x[i]);
    if (y > top)
      top = y;
  }
  return top * top;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
