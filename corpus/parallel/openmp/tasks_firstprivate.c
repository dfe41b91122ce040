// Tasks with copies of numbers.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double y[N];
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
    double scale = x[i] * x[0];
#pragma omp task firstprivate(scale, i)
    y[i] = scale * x[i] + sin(scale);
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
