// Normalisation of a vector, whose magnitude is computed inside of the loop.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 9 };

__attribute__((noinline, pure)) static double magnitude(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static double f(const double *x, int n) {
  double out[N], sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) out[i] = x[i] / magnitude(x, n);
  for (int i = 0; i < n; i++) sum += (1 + i % 4) * out[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
