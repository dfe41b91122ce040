// A thread awaits another one, which is made after it, and overwrites what that has read.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>

enum { N = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static pthread_t reader;
static int made;
static double number, cube;
static const double *input;

static void *read_it(void *arg) {
  cube = number * number * number;
  return arg;
}

static void *overwrite(void *arg) {
  pthread_mutex_lock(&lock);
  while (!made)
    pthread_cond_wait(&told, &lock);
  pthread_t awaited = reader;
  pthread_mutex_unlock(&lock);
  pthread_join(awaited, NULL);
  number = 5 * input[1];
  return arg;
}

static double f(const double *x, int n) {
  pthread_t writer;
  input = x;
  made = 0;
  number = x[0] * x[1];
  pthread_create(&writer, NULL, overwrite, NULL);
  pthread_mutex_lock(&lock);
  pthread_create(&reader, NULL, read_it, NULL);
  made = 1;
  pthread_cond_signal(&told);
  pthread_mutex_unlock(&lock);
  pthread_join(writer, NULL);
  return n * cube * number + x[2];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
