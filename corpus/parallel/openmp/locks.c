// Locks, one for each bin.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 12 };

static omp_lock_t lock[3];
static double f(const double *x, int n) {
  double bins[3] = {1, 1, 1};
  for (int k = 0; k < 3; k++)
    omp_init_lock(&lock[k]);
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    omp_set_lock(&lock[i % 3]);
    bins[i % 3] *= 0.5 + x[i];
    omp_unset_lock(&lock[i % 3]);
  }
  for (int k = 0; k < 3; k++)
    omp_destroy_lock(&lock[k]);
  return bins[0] * bins[1] + bins[2];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
