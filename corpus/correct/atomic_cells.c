// Atomic variables of C11 in a program of one thread: loads, stores, sums and exchanges of active values.
#include "adj.h"
#include <stdatomic.h>
#include <stdio.h>

#define N 6

struct meter {
  _Atomic(double) total;
  _Atomic(double) last;
  atomic_int readings;
};

static void record(struct meter *m, double value) {
  double last = atomic_load(&m->last);
  atomic_store_explicit(&m->total, atomic_load(&m->total) + value * last, memory_order_release);
  atomic_store(&m->last, value);
  atomic_fetch_add(&m->readings, 1);
}

static double consumption(const double *x, int n) {
  struct meter m;
  atomic_init(&m.total, 0.5);
  atomic_init(&m.last, x[0]);
  atomic_init(&m.readings, 0);
  for (int i = 1; i < n; i++)
    record(&m, x[i] * x[i]);
  return atomic_load_explicit(&m.total, memory_order_acquire) / m.readings;
}

int main(void) {
  double x[N], dx[N] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.75 + 0.125 * i;
  __enzyme_autodiff((void *)consumption, enzyme_dup, x, dx, enzyme_const, N);
  for (int i = 0; i < N; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
