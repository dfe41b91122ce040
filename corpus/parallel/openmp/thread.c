// A thread of which the program looks whether it was made.
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>
#include <stdio.h>

struct job {
  double in, out;
};

static void *work(void *p) {
  struct job *j = p;
  j->out = j->in * j->in;
  return NULL;
}

static double f(double x) {
  struct job j = {x, 0.0};
  pthread_t t;
  if (pthread_create(&t, NULL, work, &j))
    return 0.0;
  pthread_join(t, NULL);
  return j.out;
}

int main(void) {
  const double slope = __enzyme_autodiff((void *)f, 2.0);
  printf("%g\n", slope);
  return slope != 4.0;
}
