// Two tasks, and one that waits for them.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double a = 0, b = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a)
    for (int i = 0; i < n / 2; i++)
      a += x[i] * x[i];
#pragma omp task shared(b)
    for (int i = n / 2; i < n; i++)
      b += sin(x[i]);
#pragma omp taskwait
    a *= b;
  }
  return a + b;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
