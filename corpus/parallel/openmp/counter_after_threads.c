// What threads have counted, looked at when all of them have ended.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>
#include <stdatomic.h>

enum { N = 9, THREADS = 3 };

static atomic_int done;

struct part {
  const double *x;
  int first, n;
  double sum;
};

static void *run(void *of) {
  struct part *part = of;
  for (int i = part->first; i < part->n; i += THREADS) part->sum += part->x[i] * part->x[i];
  atomic_fetch_add(&done, 1);
  return 0;
}

static double f(const double *x, int n) {
  pthread_t threads[THREADS];
  struct part parts[THREADS];
  atomic_store(&done, 0);
  for (int t = 0; t < THREADS; t++) {
    parts[t] = (struct part){x, t, n, 0};
    pthread_create(&threads[t], 0, run, &parts[t]);
  }
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], 0);
  return atomic_load(&done) == THREADS ? parts[0].sum * parts[1].sum + parts[2].sum : 0;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
