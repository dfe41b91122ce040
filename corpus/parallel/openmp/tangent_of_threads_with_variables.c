// In forward mode, what each thread has of its own may be active: a thread that is new has nothing from before.
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>

static _Thread_local double sum;

struct work {
  const double *x;
  double out;
};

static void *add(void *p) {
  struct work *work = p;
  sum += *work->x * *work->x;
  work->out = sum;
  return NULL;
}

static double f(const double *x) {
  struct work work[2] = {{x, 0.0}, {x + 1, 0.0}};
  for (int k = 0; k < 2; k++) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, &work[k]);
    pthread_join(thread, NULL);
  }
  return work[0].out + work[1].out;
}

int main(void) {
  double x[2] = {2, 3}, dx[2] = {1, 0};
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, dx) == 4 ? 0 : 1;
}
