// A product over threads.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double product = 1.5;
#pragma omp parallel for reduction(* : product)
  for (int i = 0; i < n; i++)
    product *= 0.5 + x[i] * x[i];
  return log(product) + product;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
