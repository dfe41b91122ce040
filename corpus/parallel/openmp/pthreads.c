// Threads of POSIX, which get a structure each.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>

enum { N = 12, THREADS = 3 };

struct work {
  const double *x;
  int from, to;
  double sum;
};

static void *part(void *argument) {
  struct work *work = argument;
  for (int i = work->from; i < work->to; i++)
    work->sum += work->x[i] * work->x[i] * work->x[0];
  return NULL;
}

static double f(const double *x, int n) {
  pthread_t threads[THREADS];
  struct work work[THREADS];
  for (int k = 0; k < THREADS; k++) {
    work[k] = (struct work){x, k * n / THREADS, (k + 1) * n / THREADS, 0};
    pthread_create(&threads[k], NULL, part, &work[k]);
  }
  double product = 1;
  for (int k = 0; k < THREADS; k++) {
    pthread_join(threads[k], NULL);
    product *= work[k].sum;
  }
  return product;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
