// All threads push on one tape. The place on it is taken by a plain increment, so that two threads may get the same
// one.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <stdio.h>

enum { N = 6 };

static void logistic(double *x) {
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < N; i++)
    x[i] = 1.0 / (1.0 + exp(-x[i]));
}

static void logistic_reverse(double *x, double *dx) {
  double tape[N];
  int place[N], used = 0;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < N; i++) {
    x[i] = 1.0 / (1.0 + exp(-x[i]));
    place[i] = used++; //~ race
    tape[place[i]] = x[i];
  }
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < N; i++)
    dx[i] *= tape[place[i]] * (1.0 - tape[place[i]]);
}

int main(void) {
  double x[N] = {-2.0, -1.0, 0.0, 1.0, 2.0, 3.0}, dx[N] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  __adj_check_gradient((void *)logistic, (void *)logistic_reverse, x, dx);
  printf("%g\n", x[0]);
  return 0;
}
