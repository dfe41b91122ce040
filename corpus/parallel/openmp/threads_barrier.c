// Two threads advance the points of a ring, each every second one, and meet after each step.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>

enum { N = 8 };

static pthread_barrier_t meet;
static double ring[2][N];
static const double *input;

static void *advance(void *arg) {
  int first = *(int *)arg;
  for (int i = first; i < N; i += 2)
    ring[0][i] = input[i];
  pthread_barrier_wait(&meet);
  for (int step = 0; step < 3; step++) {
    const double *now = ring[step % 2];
    double *next = ring[(step + 1) % 2];
    for (int i = first; i < N; i += 2)
      next[i] = now[i] + 0.1 * now[(i + N - 1) % N] * now[(i + 1) % N];
    pthread_barrier_wait(&meet);
  }
  return NULL;
}

static double f(const double *x, int n) {
  int first[2] = {0, 1};
  pthread_t threads[2];
  input = x;
  pthread_barrier_init(&meet, NULL, 2);
  for (int k = 0; k < 2; k++)
    pthread_create(&threads[k], NULL, advance, &first[k]);
  for (int k = 0; k < 2; k++)
    pthread_join(threads[k], NULL);
  pthread_barrier_destroy(&meet);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += ring[1][i] * ring[1][i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
