// One thread hands a number to another, with a flag and a condition. In the reverse pass the adjoint goes the other
// way, and the thread that gets it does not wait for the flag.
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>
#include <stdio.h>

struct channel {
  pthread_mutex_t mutex;
  pthread_cond_t come;
  int full;
  const double *x;
  double between, dbetween, *dx;
};

static void signal_to(struct channel *c) {
  pthread_mutex_lock(&c->mutex);
  c->full = 1;
  pthread_cond_signal(&c->come);
  pthread_mutex_unlock(&c->mutex);
}

static void *produce(void *channel) {
  struct channel *c = channel;
  c->between = *c->x * *c->x;
  signal_to(c);
  return NULL;
}

static void triple(const double *x, double *y) {
  struct channel c = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, x, 0.0, 0.0, NULL};
  pthread_t thread;
  pthread_create(&thread, NULL, produce, &c);
  pthread_mutex_lock(&c.mutex);
  while (!c.full)
    pthread_cond_wait(&c.come, &c.mutex);
  pthread_mutex_unlock(&c.mutex);
  *y = 3.0 * c.between;
  pthread_join(thread, NULL);
}

static inline __attribute__((always_inline)) void pass(const double *from, double *to, double factor) {
  *to += factor * *from; //~ race
}

static void *produce_reverse(void *channel) {
  struct channel *c = channel;
  pass(&c->dbetween, c->dx, 2.0 * *c->x);
  return NULL;
}

static void triple_reverse(const double *x, double *dx, double *y, double *dy) {
  struct channel c = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, x, 0.0, 0.0, dx};
  pthread_t thread;
  triple(x, y);
  pthread_create(&thread, NULL, produce_reverse, &c);
  pass(dy, &c.dbetween, 3.0);
  signal_to(&c);
  pthread_join(thread, NULL);
  *dy = 0.0;
}

int main(void) {
  double x = 1.5, dx = 0.0, y, dy = 1.0;
  __adj_check_gradient((void *)triple, (void *)triple_reverse, &x, &dx, &y, &dy);
  printf("%g\n", y);
  return 0;
}
