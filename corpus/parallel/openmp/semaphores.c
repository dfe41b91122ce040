// Threads of a team that hand a number on by semaphores, for which one waits and the other tries, and meet at a barrier
// of POSIX.
// adj-flags: -fopenmp -pthread
#include "differences.h"
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>

enum { N = 6 };

static double f(const double *x, int n) {
  double handed = 0, parts[2] = {0, 0}, sum = 0;
  sem_t full, empty;
  pthread_barrier_t barrier;
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, 1);
  pthread_barrier_init(&barrier, 0, 2);
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    for (int i = 0; i < n; i++)
      if (me == 0) {
        double next = x[i] * x[i];
        sem_wait(&empty);
        handed = next;
        sem_post(&full);
      } else {
        while (sem_trywait(&full))
          ;
        double got = handed;
        sem_post(&empty);
        sum += got * x[i];
      }
    parts[me] = me ? sum : handed * x[1];
    pthread_barrier_wait(&barrier);
    if (me == 0)
      parts[0] *= parts[1];
  }
  sem_destroy(&full);
  sem_destroy(&empty);
  pthread_barrier_destroy(&barrier);
  return parts[0] + sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
