// C11 atomics in what one thread differentiates: a shared sum by compare and exchange, a counter, and a flag.
#include "adj.h"
#include <stdatomic.h>

static atomic_int visits;

static double binned(const double *x, double *bins, int n) {
  for (int i = 0; i < n; i++) {
    int bin = x[i] > 1.0 ? 2 : x[i] > 0.0 ? 1 : 0;
    bins[bin] += x[i] * x[i];
    atomic_fetch_add_explicit(&visits, 1, memory_order_relaxed);
  }
  atomic_thread_fence(memory_order_seq_cst);
  return bins[0] * bins[1] + bins[2] * atomic_load(&visits);
}

int main(void) {
  double x[5] = {0.5, 1.5, -0.75, 2.0, 0.25}, dx[5] = {0}, bins[3] = {0}, dbins[3] = {0};
  __enzyme_autodiff((void *)binned, enzyme_dup, x, dx, enzyme_dup, bins, dbins, enzyme_const, 5);
  return dx[0] != 0.0 ? 0 : 1;
}
