// What threads return, by pointer; they are awaited in the opposite order, and one only after its number was used.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { N = 8 };

static sem_t done;

static void *multiply(void *arg) {
  const double *x = (const double *)arg;
  double *product = (double *)malloc(sizeof *product);
  *product = x[0] * x[1];
  sem_post(&done);
  return product;
}

static double f(const double *x, int n) {
  enum { THREADS = N / 2 };
  pthread_t threads[THREADS];
  double all = n;
  sem_init(&done, 0, 0);
  for (int k = 0; k < THREADS; k++)
    pthread_create(&threads[k], NULL, multiply, (void *)(x + 2 * k));
  for (int k = 0; k < THREADS; k++)
    sem_wait(&done);
  for (int k = THREADS - 1; k >= 0; k--) {
    void *product;
    pthread_join(threads[k], &product);
    all *= *(double *)product;
    free(product);
  }
  sem_destroy(&done);
  return all;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
