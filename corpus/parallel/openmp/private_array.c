// Scratch memory of each thread.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double y[N];
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double t[3];
    t[0] = x[i];
    for (int k = 1; k < 3; k++)
      t[k] = t[k - 1] * t[k - 1] + x[(i + k) % n];
    y[i] = t[2];
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
