// A thread of a team waits for a condition that another one brings about.
// adj-flags: -fopenmp -pthread
#include "differences.h"
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t there = PTHREAD_COND_INITIALIZER;

enum { N = 2 };

static double f(const double *x, int n) {
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
  return result * n;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
