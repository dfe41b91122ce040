// In forward mode a thread waits by an atomic flag for what another one computes.
// adj-flags: -pthread
#include "adj.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

struct answer {
  atomic_int ready;
  double value, square;
};

static void *ask(void *p) {
  struct answer *answer = p;
  answer->square = answer->value * answer->value;
  atomic_store(&answer->ready, 1);
  return NULL;
}

static double f(double x) {
  struct answer answer = {0, sin(x), 0};
  pthread_t thread;
  pthread_create(&thread, NULL, ask, &answer);
  while (!atomic_load(&answer.ready)) {
  }
  const double square = answer.square;
  pthread_join(thread, NULL);
  return square * x;
}

int main(void) {
  const double x = 0.7, tangent = __enzyme_fwddiff((void *)f, x, 2.0);
  return fabs(tangent - 2 * (sin(2 * x) * x + sin(x) * sin(x))) > 1e-14;
}
