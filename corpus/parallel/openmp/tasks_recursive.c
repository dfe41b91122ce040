// A sum that is divided among tasks again and again.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 7 };

static double sum(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0] * x[0];
  double left, right;
#pragma omp task shared(left)
  left = sum(x, n / 2);
#pragma omp task shared(right)
  right = sum(x + n / 2, n - n / 2);
#pragma omp taskwait
  return left + right + left * right;
}
static double f(const double *x, int n) {
  double all = 0;
#pragma omp parallel
#pragma omp single
  all = sum(x, n);
  return all;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
