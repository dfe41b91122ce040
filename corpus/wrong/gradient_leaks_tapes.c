// Leak: every thread allocates a tape for its iterations, and only the thread that waits for the others frees its
// own.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static void squares(double *x, int n) {
#pragma omp parallel for schedule(static) num_threads(3)
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i];
}

static void squares_reverse(double *x, double *dx, int n) {
#pragma omp parallel num_threads(3)
  {
    double *tape = malloc((size_t)n * sizeof *tape); //~ leak
    if (!tape)
      abort();
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      tape[i] = x[i];
      x[i] = x[i] * x[i];
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      dx[i] *= 2.0 * tape[i];
#pragma omp master
    free(tape);
  }
}

int main(void) {
  double x[5] = {1.0, 2.0, 3.0, 4.0, 5.0}, dx[5] = {1.0, 1.0, 1.0, 1.0, 1.0};
  __adj_check_gradient((void *)squares, (void *)squares_reverse, enzyme_dup, x, dx, enzyme_const, 5);
  printf("%g\n", x[4]);
  return 0;
}
