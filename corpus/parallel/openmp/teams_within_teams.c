// A region in a region: each thread of the outer team has a team of its own, with memory of its own.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double sum = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 3; i++) {
    double part = 0, work[N];
#pragma omp parallel num_threads(2)
    {
#pragma omp for
      for (int j = 0; j < n; j++)
        work[j] = x[j] * x[(i + j) % n];
#pragma omp for reduction(+ : part)
      for (int j = 0; j < n; j++)
        part += work[j] * work[n - 1 - j];
    }
    sum += part * part;
  }
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
