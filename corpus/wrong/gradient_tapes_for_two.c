// Out of bounds: there are tapes for two threads, and the team has three.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAPES = 2, CHUNK = 2 };

static void tangents(double *x) {
#pragma omp parallel for schedule(static, CHUNK) num_threads(3)
  for (int i = 0; i < 3 * CHUNK; i++)
    x[i] = tan(x[i]);
}

static void tangents_reverse(double *x, double *dx) {
  double *tapes = malloc(TAPES * CHUNK * sizeof *tapes);
  if (!tapes)
    abort();
#pragma omp parallel num_threads(3)
  {
    double *tape = tapes + CHUNK * omp_get_thread_num();
#pragma omp for schedule(static, CHUNK)
    for (int i = 0; i < 3 * CHUNK; i++) {
      x[i] = tan(x[i]);
      tape[i % CHUNK] = x[i]; //~ ub-in-gradient
    }
#pragma omp for schedule(static, CHUNK)
    for (int i = 0; i < 3 * CHUNK; i++)
      dx[i] *= 1.0 + tape[i % CHUNK] * tape[i % CHUNK];
  }
  free(tapes);
}

int main(void) {
  double x[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, dx[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  __adj_check_gradient((void *)tangents, (void *)tangents_reverse, x, dx);
  printf("%g\n", x[5]);
  return 0;
}
