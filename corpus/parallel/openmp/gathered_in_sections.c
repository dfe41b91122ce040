// Threads read what they share outside of sections that exclude each other, and read and write it within them.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { N = 10 };

static double f(const double *x, int n) {
  double shared[N], sum = 0;
  memcpy(shared, x, n * sizeof *x);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 6; i++) {
    double own = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        own += x[j] * x[(j + k + i) % n];
#pragma omp critical
    {
      for (int j = 6; j < n; j++)
        sum += 0.01 * shared[j] * own;
      for (int j = 0; j < 6; j++)
        shared[j] += 0.001 * own * shared[6 + j % (n - 6)];
    }
  }
  for (int j = 0; j < n; j++)
    sum += shared[j];
  return sum / 100;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
