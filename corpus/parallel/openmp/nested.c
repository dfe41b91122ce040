// A region within a region.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6 };

static double f(const double *x, int n) {
  double y[N];
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < n; i++) {
    double s = 0;
#pragma omp parallel for num_threads(2) reduction(+ : s)
    for (int j = 0; j <= i; j++)
      s += x[j] * x[i];
    y[i] = s;
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
