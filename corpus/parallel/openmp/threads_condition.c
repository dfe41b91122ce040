// A thread tells its maker by a condition that a number is there; both work beside each other before.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>

enum { N = 8 };

struct shared {
  pthread_mutex_t lock;
  pthread_cond_t told;
  int ready;
  double product;
  const double *x;
  int n;
};

static void *multiply(void *arg) {
  struct shared *s = (struct shared *)arg;
  double product = 1;
  for (int i = 0; i < s->n; i++)
    product *= s->x[i];
  pthread_mutex_lock(&s->lock);
  s->product = product;
  s->ready = 1;
  pthread_cond_signal(&s->told);
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

static double f(const double *x, int n) {
  struct shared s = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, x, n};
  pthread_t thread;
  pthread_create(&thread, NULL, multiply, &s);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  pthread_mutex_lock(&s.lock);
  while (!s.ready)
    pthread_cond_wait(&s.told, &s.lock);
  sum *= s.product;
  pthread_mutex_unlock(&s.lock);
  pthread_join(thread, NULL);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
