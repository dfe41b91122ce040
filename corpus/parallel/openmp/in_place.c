// Each iteration changes its own element.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double a[N];
  memcpy(a, x, sizeof a);
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      a[i] = sin(a[i]) * a[i] + 0.1;
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
