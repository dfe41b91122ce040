// Tasks in an order that they declare.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a)
    a = x[0] * x[1];
#pragma omp task depend(in : a) depend(out : b)
    b = a * x[2];
#pragma omp task depend(in : a) depend(out : c)
    c = a * a + x[3];
#pragma omp task depend(in : b, c) depend(inout : a)
    a = b * c + x[n - 1];
  }
  return a * a;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
