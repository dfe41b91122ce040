// A product in a critical section: the order of the factors is kept.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double product = x[0];
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    const double y = 0.5 + x[i] * x[i];
#pragma omp critical(product)
    product *= y;
  }
  return product;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
