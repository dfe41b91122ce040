// A thread and its maker work on one number in turn, by semaphores.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>
#include <semaphore.h>

enum { N = 8 };

static sem_t given, back;
static double number;

static void *square(void *arg) {
  int rounds = *(int *)arg;
  for (int i = 0; i < rounds; i++) {
    sem_wait(&given);
    number = number * number;
    sem_post(&back);
  }
  return NULL;
}

static double f(const double *x, int n) {
  sem_init(&given, 0, 0);
  sem_init(&back, 0, 0);
  pthread_t thread;
  double sum = 0;
  pthread_create(&thread, NULL, square, &n);
  for (int i = 0; i < n; i++) {
    number = x[i] + sum;
    sem_post(&given);
    sem_wait(&back);
    sum = 0.5 * number;
  }
  pthread_join(thread, NULL);
  sem_destroy(&given);
  sem_destroy(&back);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
