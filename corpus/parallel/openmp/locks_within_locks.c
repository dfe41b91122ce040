// Locks that a thread may hold several times, and locks that threads try to get until they have them.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 7 };

static omp_nest_lock_t nest;

static void add(double *sum, double part) {
  omp_set_nest_lock(&nest);
  *sum += part;
  omp_unset_nest_lock(&nest);
}

static double f(const double *x, int n) {
  double sum = 1, product = 1;
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    omp_set_nest_lock(&nest);
    double before = sum;
    add(&sum, x[i] * x[i]);
    if (sum < before)
      add(&sum, 1);
    omp_unset_nest_lock(&nest);
    while (!omp_test_lock(&lock))
      ;
    product *= 1 + 0.5 * x[i];
    omp_unset_lock(&lock);
  }
  omp_destroy_nest_lock(&nest);
  omp_destroy_lock(&lock);
  return sum * product;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
