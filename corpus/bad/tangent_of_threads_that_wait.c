// One thread tells another by a condition that its data are ready: in forward mode it is executed where it is made.
// adj-exit: 3
// adj-message: orders threads
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t there = PTHREAD_COND_INITIALIZER;

struct box {
  double in, out;
  int full;
};

static void *fill(void *p) {
  struct box *box = p;
  pthread_mutex_lock(&mutex);
  box->out = box->in * box->in;
  box->full = 1;
  pthread_cond_signal(&there);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static double f(double x) {
  struct box box = {x, 0.0, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, fill, &box);
  pthread_mutex_lock(&mutex);
  while (!box.full)
    pthread_cond_wait(&there, &mutex);
  const double out = box.out;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return out * x;
}

int main(void) { return __enzyme_fwddiff((void *)f, 2.0, 1.0) > 0 ? 0 : 1; }
