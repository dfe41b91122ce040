// Numbers are replaced by their exponentials. The tape has one slot for each thread, which executes several
// iterations: each overwrites what the one before has kept. Evidence: the factor is another iteration's value.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>

static void growth(double *x, int n) {
#pragma omp parallel for schedule(dynamic) num_threads(2)
  for (int i = 0; i < n; i++)
    x[i] = x[i] * exp(0.5 * x[i]);
}

static void growth_reverse(double *x, double *dx, int n) {
  double tape[2];
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      tape[omp_get_thread_num()] = x[i];
      x[i] = x[i] * exp(0.5 * x[i]);
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      double before = tape[omp_get_thread_num()];
      dx[i] *= (1.0 + 0.5 * before) * exp(0.5 * before); //~ wrong: cache
    }
  }
}

int main(void) {
  double x[6] = {0.0, 1.0, 2.0, 0.5, 1.5, 2.5}, dx[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  __adj_check_gradient((void *)growth, (void *)growth_reverse, enzyme_dup, x, dx, enzyme_const, 6);
  printf("%g\n", x[5]);
  return 0;
}
