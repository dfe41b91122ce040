// Threads of C11: their results, and a sum under a mutex.
// adj-flags: -pthread
#include "differences.h"
#include <threads.h>

enum { N = 8, THREADS = 4 };

struct part {
  const double *x;
  int first, last;
  double sum;
};

static mtx_t lock;
static double product;

static int run(void *of) {
  struct part *part = of;
  for (int i = part->first; i < part->last; i++) part->sum += part->x[i] * part->x[i];
  mtx_lock(&lock);
  product *= 1 + part->sum;
  mtx_unlock(&lock);
  return part->last - part->first;
}

static double f(const double *x, int n) {
  thrd_t threads[THREADS];
  struct part parts[THREADS];
  int count = 0;
  mtx_init(&lock, mtx_plain);
  product = 1;
  for (int t = 0; t < THREADS; t++) {
    parts[t] = (struct part){x, t * n / THREADS, (t + 1) * n / THREADS, 0};
    thrd_create(&threads[t], run, &parts[t]);
  }
  for (int t = 0; t < THREADS; t++) {
    int own;
    if (t == 0) thrd_join(threads[t], 0);
    else thrd_join(threads[t], &own), count += own;
  }
  mtx_destroy(&lock);
  return product * count + parts[1].sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
