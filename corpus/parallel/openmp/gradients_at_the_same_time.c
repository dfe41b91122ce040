// Threads ask for gradients at the same time, of functions with sections: the order of the sections is that of one
// gradient each.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>

static int calls;

static double counted(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
#pragma omp critical(count)
  calls++;
  return sum;
}

static double locked(const double *x, int n) {
  double product = 1;
  omp_lock_t lock;
  omp_init_lock_with_hint(&lock, omp_sync_hint_contended);
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < n; i++) {
    omp_set_lock(&lock);
    product *= x[i];
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return product;
}

int main(void) {
  int bad = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : bad)
  for (int k = 0; k < 12; k++) {
    double x[3] = {1, 2, 3 + 0.1 * k}, d[3] = {0}, p[3] = {0};
    __enzyme_autodiff((void *)counted, enzyme_dup, x, d, enzyme_const, 3);
    __enzyme_autodiff((void *)locked, enzyme_dup, x, p, enzyme_const, 3);
    for (int i = 0; i < 3; i++) {
      bad += fabs(d[i] - 2 * x[i]) > 1e-12;
      bad += fabs(p[i] - x[(i + 1) % 3] * x[(i + 2) % 3]) > 1e-12;
    }
  }
  printf("%d calls\n", calls);
  return bad != 0 || calls != 12;
}
