// Two phases with a barrier between them: a thread stores its own part, and then uses that of another thread. The
// reversed phases follow each other without a barrier.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

enum { THREADS = 3 };

static void shift(const double *x, double *part, double *y) {
#pragma omp parallel num_threads(THREADS)
  {
    int own = omp_get_thread_num(), other = (own + 1) % THREADS;
    part[own] = x[own] * x[own];
#pragma omp barrier
    y[own] = part[other] * x[own];
  }
}

static void take(double *from, double *to, double factor) {
  *to += factor * *from; //~ race
  *from = 0.0;
}

static void shift_reverse(const double *x, double *dx, double *part, double *dpart, double *y, double *dy) {
  shift(x, part, y);
#pragma omp parallel num_threads(THREADS)
  {
    int own = omp_get_thread_num(), other = (own + 1) % THREADS;
    dx[own] += part[other] * dy[own];
    take(&dy[own], &dpart[other], x[own]);
    take(&dpart[own], &dx[own], 2.0 * x[own]);
  }
}

int main(void) {
  double x[THREADS] = {1.0, 2.0, 3.0}, dx[THREADS] = {0}, part[THREADS], dpart[THREADS] = {0}, y[THREADS];
  double dy[THREADS] = {1.0, 1.0, 1.0};
  __adj_check_gradient((void *)shift, (void *)shift_reverse, x, dx, part, dpart, y, dy);
  printf("%g\n", y[0]);
  return 0;
}
