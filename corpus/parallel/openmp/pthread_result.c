// A thread that returns a pointer to its result, and a mutex.
// adj-flags: -pthread
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

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
  for (int i = 0; i < N; i++) {
    x[i] = 0.4 + 0.13 * i;
    dx[i] = 0;
  }
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    const double h = 1e-5, at = x[i];
    x[i] = at + h;
    const double above = f(x, N);
    x[i] = at - h;
    const double below = f(x, N);
    x[i] = at;
    const double slope = (above - below) / (2 * h);
    if (!(fabs(slope - dx[i]) <= 1e-6 * (1 + fabs(slope)))) {
      printf("dx[%d] = %.12g, but the slope is %.12g\n", i, dx[i], slope);
      wrong = 1;
    }
  }
  return wrong;
}
