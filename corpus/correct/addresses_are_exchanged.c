/* Atomic exchanges of addresses: what is exchanged has a shadow, which is exchanged with it. */
#include "adj.h"
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>

static double chosen(const double *x) {
  double square = x[0] * x[0], cube = square * x[0], twice = 2 * x[0];
  _Atomic(double *) best = NULL;
  double *expected = NULL;
  /* There is nothing yet; then there is something else; then there is what is expected. */
  if (!atomic_compare_exchange_strong(&best, &expected, &square)) return 0;
  if (atomic_compare_exchange_strong(&best, &expected, &twice)) return 0;
  double sum = *expected;
  if (!atomic_compare_exchange_strong(&best, &expected, &cube)) return 0;
  sum += 10 * *atomic_load(&best);
  double *before = atomic_exchange(&best, &twice);
  return sum + 100 * *before + 1000 * *atomic_load(&best);
}

int main(void) {
  double x[1] = {1.3}, dx[1] = {0};
  __enzyme_autodiff((void *)chosen, enzyme_dup, x, dx);
  return fabs(dx[0] - (2 * 1.3 + 110 * 3 * 1.3 * 1.3 + 2000)) > 1e-9;
}
