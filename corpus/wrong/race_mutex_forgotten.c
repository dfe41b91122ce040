// Threads of POSIX add their energies to a common sum under a mutex. In the reverse pass each reads the adjoint of
// the sum, which is harmless without the mutex, and adds to the adjoint of the common stiffness, which is not.
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3 };
struct spring {
  const double *stiffness, *stretch;
  double *energy, *dstiffness, *dstretch, seed;
  pthread_mutex_t *mutex;
};

static void *add(void *argument) {
  struct spring *own = argument;
  double energy = 0.5 * *own->stiffness * *own->stretch * *own->stretch;
  pthread_mutex_lock(own->mutex);
  *own->energy += energy;
  pthread_mutex_unlock(own->mutex);
  return NULL;
}

static void *add_reverse(void *argument) {
  struct spring *own = argument;
  *own->dstretch += *own->stiffness * *own->stretch * own->seed;
  *own->dstiffness += 0.5 * *own->stretch * *own->stretch * own->seed; //~ race
  return NULL;
}

static void team(void *(*work)(void *), struct spring common) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[THREADS];
  struct spring springs[THREADS];
  for (int t = 0; t < THREADS; t++) {
    springs[t] = common;
    springs[t].mutex = &mutex;
    springs[t].stretch += t;
    springs[t].dstretch += t;
    pthread_create(&threads[t], NULL, work, &springs[t]);
  }
  for (int t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
}

static double energy(const double *k, const double *x) {
  double sum = 0.0, unused[THREADS];
  team(add, (struct spring){k, x, &sum, unused, unused, 0.0, NULL});
  return sum;
}

static void energy_reverse(const double *k, double *dk, const double *x, double *dx, double seed) {
  team(add_reverse, (struct spring){k, x, NULL, dk, dx, seed, NULL});
}

int main(void) {
  double k = 2.0, dk = 0.0, x[THREADS] = {0.5, 1.0, 1.5}, dx[THREADS] = {0};
  __adj_check_gradient((void *)energy, (void *)energy_reverse, &k, &dk, x, dx, 1.0);
  printf("%g\n", energy(&k, x));
  return 0;
}
