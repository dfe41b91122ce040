// A thread that ends by a call: executed where it is made, that call would end the program's own thread.
// adj-exit: 3
// adj-message: pthread_exit
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>

struct work {
  const double *x;
  double out;
};

static void *square(void *p) {
  struct work *work = p;
  work->out = *work->x * *work->x;
  pthread_exit(NULL);
}

static double f(const double *x) {
  struct work work = {x, 0.0};
  pthread_t thread;
  pthread_create(&thread, NULL, square, &work);
  pthread_join(thread, NULL);
  return work.out;
}

int main(void) {
  double x[1] = {2}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return dx[0] == 4 ? 0 : 1;
}
