// Whichever of three threads comes first computes a number that all of them use.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>

enum { N = 8 };

static pthread_once_t computed;
static double scale;
static const double *input;

static void compute(void) {
  scale = input[0] * input[1];
}

static void *use(void *arg) {
  double *number = (double *)arg;
  pthread_once(&computed, compute);
  *number = scale * *number;
  return NULL;
}

static double f(const double *x, int n) {
  enum { THREADS = 3 };
  pthread_t threads[THREADS];
  double numbers[THREADS], sum = x[n - 1];
  const pthread_once_t fresh = PTHREAD_ONCE_INIT;
  computed = fresh;
  input = x;
  for (int k = 0; k < THREADS; k++) {
    numbers[k] = x[k + 2];
    pthread_create(&threads[k], NULL, use, &numbers[k]);
  }
  for (int k = 0; k < THREADS; k++) {
    pthread_join(threads[k], NULL);
    sum += numbers[k] * numbers[k];
  }
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
