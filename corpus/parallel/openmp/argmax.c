// The place of the largest, found in a critical section.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double top = -1e9;
  int where = -1;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    const double y = sin(2 * x[i]);
#pragma omp critical
    if (y > top) {
      top = y;
      where = i;
    }
  }
  return top * x[where];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
