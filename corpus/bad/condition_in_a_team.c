// Threads of a team wait for a condition: the reverse pass would not know in which order.
// adj-exit: 3
// adj-message: orders threads
// adj-flags: -fopenmp -pthread
#include "adj.h"
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t there = PTHREAD_COND_INITIALIZER;

static double f(const double *x) {
  double data = 0, result = 0;
  int ready = 0;
#pragma omp parallel num_threads(2)
  {
    pthread_mutex_lock(&mutex);
    if (omp_get_thread_num() == 0) {
      data = x[0] * x[0];
      ready = 1;
      pthread_cond_signal(&there);
    } else {
      while (!ready)
        pthread_cond_wait(&there, &mutex);
      result = data * x[1];
    }
    pthread_mutex_unlock(&mutex);
  }
  return result;
}

int main(void) {
  double x[2] = {2, 3}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return dx[0] > 0 ? 0 : 1;
}
