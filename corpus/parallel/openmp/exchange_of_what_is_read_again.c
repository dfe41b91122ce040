// A sum by comparison and exchange that reads its variable once more before it exchanges: a section around all of it
// would wait for itself; and a product by one that does not.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>
static double f(const double *x, int n) {
  double sum = 1, product = 0.5;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n; i++) {
    double old, new, now;
    __atomic_load(&sum, &old, __ATOMIC_RELAXED);
    do {
      __atomic_load(&sum, &now, __ATOMIC_RELAXED);
      new = old + x[i] + 0.0 * now;
    } while (!__atomic_compare_exchange(&sum, &old, &new, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    __atomic_load(&product, &old, __ATOMIC_RELAXED);
    do new = old * x[i];
    while (!__atomic_compare_exchange(&product, &old, &new, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }
  return sum + product;
}

int main(void) {
  double x[4] = {0.5, 0.3, 2, 3}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
