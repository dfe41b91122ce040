// A thread is made by one that holds the lock which it needs: they go on one after the other.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>

enum { N = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double number;

static void *add(void *arg) {
  const double *x = (const double *)arg;
  pthread_mutex_lock(&lock);
  number += x[0] * x[1];
  pthread_mutex_unlock(&lock);
  return NULL;
}

static double f(const double *x, int n) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  number = x[2];
  pthread_create(&thread, NULL, add, (void *)x);
  number = number * number;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return number * n;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
