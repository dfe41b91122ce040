// Only the first iteration reads the element that it writes: an optimiser has all threads load it, and each choose what
// it goes on with.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 4 };

static double f(const double *x, int n) {
  double y[N];
  for (int i = 0; i < N; i++)
    y[i] = x[i] * x[i];
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < N; i++) {
    if ((0.5 <= (i == 0 ? y[i] : -0.352) ? 0.5 : x[0]) < 0.5)
      y[i] = 0.5 * x[i];
    y[i] = 0.42 * (y[i] - 0.5) * y[i];
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
