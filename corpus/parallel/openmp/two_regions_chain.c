// What one region makes, the next one reads.
// adj-flags: -fopenmp
#include "differences.h"
#include <stdlib.h>

enum { N = 12 };

static void smooth(const double *in, double *out, int n) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n; i++)
    out[i] = 0.5 * in[i] * in[i] + 0.5 * in[(i + 3) % n];
}
static double f(const double *x, int n) {
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  smooth(x, a, n);
  smooth(a, b, n);
  smooth(b, a, n);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  free(a);
  free(b);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
