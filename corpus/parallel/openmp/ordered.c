// What is executed in the order of iterations.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double chain = 1;
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < n; i++) {
    const double y = sin(x[i]);
#pragma omp ordered
    chain = chain * 0.5 + y * chain + x[i];
  }
  return chain;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
