// All threads read one factor of a product again and again, and nothing tells that the product is not a factor.
// adj-flags: -fopenmp
#include "differences.h"

enum { K = 4 };

static void product(const double *a, const double *b, double *c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i * n + j] = 0;
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

static double f(const double *x, int n) {
  double c[K * K], d[K * K];
  product(x, x + n / 2, c, K);
  product(c, x + n / 2, d, K);
  double sum = 0;
  for (int i = 0; i < K * K; i++)
    sum += d[i] * (1 + i % 3);
  return sum / 1000;
}

int main(void) {
  double x[2 * K * K], dx[2 * K * K];
  start(x, dx, 2 * K * K);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 2 * K * K);
  return differing(f, x, dx, 2 * K * K);
}
