// Sequential code with atomic updates of active memory: sums, differences, and an exchange whose old value is used.
#include "adj.h"
#include <stdio.h>

static double accumulate(const double *x, int n) {
  double sum = 0.5, slot = x[0];
  for (int i = 0; i < n; i++) {
    double before = __atomic_fetch_add(&sum, x[i] * x[i], __ATOMIC_RELAXED);
    __atomic_fetch_sub(&sum, 0.25 * before, __ATOMIC_SEQ_CST);
    double old, next = before * x[i];
    __atomic_exchange(&slot, &next, &old, __ATOMIC_ACQ_REL);
    sum += old * 0.1;
  }
  return sum * slot;
}

int main(void) {
  double x[5] = {0.4, -0.3, 1.2, 0.8, -0.6}, dx[5] = {0};
  __enzyme_autodiff((void *)accumulate, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
