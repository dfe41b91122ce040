// A thread is awaited that was made outside of what is differentiated: what it has done has no reverse.
// adj-exit: 3
// adj-flags: -pthread
// adj-message: none is made
#include "adj.h"
#include <pthread.h>

static double product;

static void *multiply(void *arg) {
  const double *x = arg;
  product = x[0] * x[1];
  return NULL;
}

static double f(const double *x, const pthread_t *thread) {
  pthread_join(*thread, NULL);
  return product * x[0];
}

int main(void) {
  double x[2] = {2, 3}, dx[2] = {0};
  pthread_t thread;
  pthread_create(&thread, NULL, multiply, x);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &thread);
  return dx[0] == 0;
}
