// A sum by comparison and exchange whose term depends on the iteration alone, so that optimisers make two loops behind
// one load; and a maximum that is left as it is by most threads.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>
static double f(const double *x, int n) {
  double row[6], total = x[0], largest = -10;
  for (int c = 0; c < n; c++) row[c] = 0.6 * x[0] + 0.1 * c * x[1];
#pragma omp parallel for schedule(static, 1)
  for (int c = 0; c < n; c++) {
    double old, new;
    __atomic_load(&total, &old, __ATOMIC_SEQ_CST);
    do new = old + (c & 1 ? 0 : 0.2 * row[c]);
    while (!__atomic_compare_exchange(&total, &old, &new, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    __atomic_load(&largest, &old, __ATOMIC_RELAXED);
    while (old < row[c] && !__atomic_compare_exchange(&largest, &old, &row[c], 0, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED)) {}
  }
  return total + 0.3 * largest;
}

int main(void) {
  double x[2] = {0.5, 0.3}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 6);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
