// Sections that compute different things.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double a = 0, b = 0, c = 0;
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i < n; i++)
      a += x[i] * x[i];
#pragma omp section
    for (int i = 0; i < n; i++)
      b += sin(x[i]);
#pragma omp section
    c = x[0] * x[1];
  }
  return a * b + c;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
