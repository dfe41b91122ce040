// Shrinking chunks.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
