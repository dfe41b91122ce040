// A thread sets a flag, for which its maker looks again and again.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>
#include <stdatomic.h>

enum { N = 8 };

static atomic_int ready;
static double product;

static void *multiply(void *arg) {
  const double *x = (const double *)arg;
  product = x[0] * x[1];
  atomic_store_explicit(&ready, 1, memory_order_release);
  return NULL;
}

static double f(const double *x, int n) {
  pthread_t thread;
  atomic_store(&ready, 0);
  pthread_create(&thread, NULL, multiply, (void *)x);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  while (!atomic_load_explicit(&ready, memory_order_acquire)) {
  }
  sum *= product;
  pthread_join(thread, NULL);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
