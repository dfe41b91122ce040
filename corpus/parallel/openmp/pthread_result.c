// A thread that returns a pointer to its result, and a mutex.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>
#include <stdlib.h>

enum { N = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double total;

struct half {
  const double *x;
  int n;
};

static void *square_sum(void *argument) {
  const struct half *half = argument;
  double *sum = malloc(sizeof *sum);
  *sum = 0;
  for (int i = 0; i < half->n; i++)
    *sum += half->x[i] * half->x[i];
  pthread_mutex_lock(&mutex);
  total += *sum * sin(*sum);
  pthread_mutex_unlock(&mutex);
  return sum;
}

static double f(const double *x, int n) {
  pthread_t first, second;
  struct half halves[2] = {{x, n / 2}, {x + n / 2, n - n / 2}};
  total = 0;
  pthread_create(&first, NULL, square_sum, &halves[0]);
  pthread_create(&second, NULL, square_sum, &halves[1]);
  void *one, *two;
  pthread_join(first, &one);
  pthread_join(second, &two);
  const double result = *(double *)one * *(double *)two + total;
  free(one);
  free(two);
  return result;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
