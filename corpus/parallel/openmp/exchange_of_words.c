// A float is exchanged as the word that it is in memory, in one order with all else, as on machines that compare and
// exchange integers alone.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, int n) {
  double largest = x[0];
#pragma omp parallel for
  for (int i = 1; i < n; i++) {
    uint64_t old, new;
    double seen;
    __atomic_load((uint64_t *)&largest, &old, __ATOMIC_SEQ_CST);
    memcpy(&new, &x[i], sizeof new);
    do memcpy(&seen, &old, sizeof seen);
    while (seen < x[i] && !__atomic_compare_exchange_n((uint64_t *)&largest, &old, new, 0, __ATOMIC_SEQ_CST,
                                                       __ATOMIC_SEQ_CST));
  }
  return largest * largest;
}

int main(void) {
  double x[6] = {0.5, 2, -1, 3, 0.25, 1}, dx[6] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 6);
  for (int i = 0; i < 6; i++) printf("%g\n", dx[i]);
  return 0;
}
