// Two threads read a table while a third one fills it, under a lock that readers share.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>
#include <sched.h>

enum { N = 8 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static double table[N];
static int filled;
static const double *input;

static void *add(void *arg) {
  double sum = 0;
  for (int i = 0; i < N;) {
    pthread_rwlock_rdlock(&lock);
    int there = i < filled;
    double number = table[i];
    pthread_rwlock_unlock(&lock);
    if (there) {
      sum += number * number;
      i++;
    } else {
      sched_yield();
    }
  }
  *(double *)arg = sum;
  return NULL;
}

static void *fill(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_rwlock_wrlock(&lock);
    table[i] = sin(input[i]);
    filled++;
    pthread_rwlock_unlock(&lock);
  }
  return arg;
}

static double f(const double *x, int n) {
  pthread_t threads[3];
  double sums[2];
  input = x;
  filled = 0;
  pthread_create(&threads[0], NULL, add, &sums[0]);
  pthread_create(&threads[1], NULL, fill, NULL);
  pthread_create(&threads[2], NULL, add, &sums[1]);
  for (int k = 0; k < 3; k++)
    pthread_join(threads[k], NULL);
  return sums[0] * sums[1] * n;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
