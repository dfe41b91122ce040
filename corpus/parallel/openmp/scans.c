// Running sums: what each iteration sees is what all before it have added, with its own part and without.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 11 };

static double f(const double *x, int n) {
  double running = 0, product = 1, y[N], z[N], sum = 0;
#pragma omp parallel for reduction(inscan, + : running)
  for (int i = 0; i < n; i++) {
    running += x[i] * x[i];
#pragma omp scan inclusive(running)
    y[i] = running;
  }
#pragma omp parallel for simd reduction(inscan, * : product)
  for (int i = 0; i < n; i++) {
    z[i] = product;
#pragma omp scan exclusive(product)
    product *= 1 + 0.1 * x[i];
  }
  for (int i = 0; i < n; i++)
    sum += y[i] * z[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
