// The same with threads, locks and conditions of C11.
// adj-flags: -pthread
#include "differences.h"
#include <threads.h>

enum { N = 8 };

static mtx_t lock;
static cnd_t told;
static int ready;
static double product;

static int multiply(void *arg) {
  const double *x = (const double *)arg;
  mtx_lock(&lock);
  product = x[0] * x[1];
  ready = 1;
  cnd_signal(&told);
  mtx_unlock(&lock);
  return 3;
}

static double f(const double *x, int n) {
  thrd_t thread;
  int three;
  ready = 0;
  mtx_init(&lock, mtx_plain);
  cnd_init(&told);
  thrd_create(&thread, multiply, (void *)x);
  mtx_lock(&lock);
  while (!ready)
    cnd_wait(&told, &lock);
  double square = product * product;
  mtx_unlock(&lock);
  thrd_join(thread, &three);
  cnd_destroy(&told);
  mtx_destroy(&lock);
  return three * square + x[n - 1];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
