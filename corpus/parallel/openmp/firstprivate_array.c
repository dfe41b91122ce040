// A copy of an array for each thread.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double w[4] = {x[0], x[1] * x[1], x[2], 1}, y[N];
#pragma omp parallel for firstprivate(w)
  for (int i = 0; i < n; i++) {
    w[3] = w[0] * x[i];
    y[i] = w[3] * w[1] + w[2];
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
