// Numbers go through a buffer with room for two, from a thread that makes them to two that use them: who makes them
// waits until there is room, who uses them until there are any. adj-flags: -pthread
#include "differences.h"
#include <pthread.h>
#include <string.h>

enum { N = 8 };

enum { ROOM = 2 };
struct buffer {
  pthread_mutex_t lock;
  pthread_cond_t taken, put;
  double numbers[ROOM];
  int first, count, closed;
  double sum;
};

static void *use(void *arg) {
  struct buffer *b = (struct buffer *)arg;
  for (;;) {
    pthread_mutex_lock(&b->lock);
    while (b->count == 0 && !b->closed)
      pthread_cond_wait(&b->put, &b->lock);
    if (b->count == 0) {
      pthread_mutex_unlock(&b->lock);
      return NULL;
    }
    double number = b->numbers[b->first];
    b->first = (b->first + 1) % ROOM;
    b->count--;
    pthread_cond_signal(&b->taken);
    pthread_mutex_unlock(&b->lock);
    double cube = number * number * number;
    pthread_mutex_lock(&b->lock);
    b->sum += cube;
    pthread_mutex_unlock(&b->lock);
  }
}

static double f(const double *x, int n) {
  struct buffer b;
  memset(&b, 0, sizeof b);
  pthread_mutex_init(&b.lock, NULL);
  pthread_cond_init(&b.taken, NULL);
  pthread_cond_init(&b.put, NULL);
  pthread_t users[2];
  for (int k = 0; k < 2; k++)
    pthread_create(&users[k], NULL, use, &b);
  for (int i = 0; i < n; i++) {
    double number = sin(x[i]);
    pthread_mutex_lock(&b.lock);
    while (b.count == ROOM)
      pthread_cond_wait(&b.taken, &b.lock);
    b.numbers[(b.first + b.count) % ROOM] = number;
    b.count++;
    pthread_cond_signal(&b.put);
    pthread_mutex_unlock(&b.lock);
  }
  pthread_mutex_lock(&b.lock);
  b.closed = 1;
  pthread_cond_broadcast(&b.put);
  pthread_mutex_unlock(&b.lock);
  for (int k = 0; k < 2; k++)
    pthread_join(users[k], NULL);
  pthread_cond_destroy(&b.taken);
  pthread_cond_destroy(&b.put);
  pthread_mutex_destroy(&b.lock);
  return b.sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
