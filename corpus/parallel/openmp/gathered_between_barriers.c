// Two buffers change places in each step of one region: what a thread has read of the neighbours' parts in one step,
// these have written in the step before.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { N = 40 };

static double f(const double *x, int n) {
  double first[N], second[N];
  memcpy(first, x, n * sizeof *x);
  memcpy(second, x, n * sizeof *x);
#pragma omp parallel
  {
    double *from = first, *to = second;
    for (int step = 0; step < 3; step++) {
#pragma omp for
      for (int i = 2; i < n - 2; i++)
        to[i] = from[i] + 0.1 * (from[i - 2] * from[i - 1] - from[i + 1] * from[i + 2]);
      double *other = from;
      from = to;
      to = other;
    }
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += second[i] * second[i] * (1 + i % 4);
  return sum / n;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
