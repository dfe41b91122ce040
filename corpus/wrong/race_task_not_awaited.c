// Two halves of a sum, one of them a task. In the reverse pass the task adds to the adjoint of its half's shift, and
// the thread that has made it passes that adjoint on without waiting for the task.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double half(const double *x, double shift, int from) {
  double sum = 0.0;
  for (int i = from; i < from + 3; i++)
    sum += sin(x[i] - shift);
  return sum;
}

static double waves(const double *x, const double *angle) {
  double parts[2], shift = *angle * *angle;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(parts)
    parts[0] = half(x, shift, 0);
    parts[1] = half(x, shift, 3);
#pragma omp taskwait
  }
  return parts[0] + parts[1];
}

static inline __attribute__((always_inline)) void pass(const double *from, double *to, double factor) {
  *to += factor * *from; //~ race
}

static void waves_reverse(const double *x, const double *angle, double *dangle, double seed) {
  double shift = *angle * *angle, dshift[2] = {0.0, 0.0};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(dshift)
    for (int i = 0; i < 3; i++)
      pass(&seed, &dshift[0], -cos(x[i] - shift));
    for (int i = 3; i < 6; i++)
      pass(&seed, &dshift[1], -cos(x[i] - shift));
    for (int part = 0; part < 2; part++)
      pass(&dshift[part], dangle, 2.0 * *angle);
  }
}

int main(void) {
  double x[6] = {0.1, 0.9, 1.7, 2.5, 3.3, 4.1}, angle = 0.7, dangle = 0.0;
  __adj_check_gradient((void *)waves, (void *)waves_reverse, enzyme_const, x, enzyme_dup, &angle, &dangle, 1.0);
  printf("%g\n", waves(x, &angle));
  return 0;
}
