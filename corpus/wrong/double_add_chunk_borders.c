// Each thread reverses the chunk from its first iteration to the next thread's first one, which it takes with it.
// Evidence: the components at the borders of chunks are twice the right ones, and atomic additions make no
// difference.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

enum { THREADS = 3, CHUNK = 2, N = THREADS * CHUNK };

static double cubes(const double *x) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(THREADS)
  for (int i = 0; i < N; i++)
    sum += x[i] * x[i] * x[i];
  return sum;
}

static void cubes_reverse(const double *x, double *dx, double seed) {
#pragma omp parallel num_threads(THREADS)
  {
    int from = omp_get_thread_num() * CHUNK, to = from + CHUNK;
    for (int i = from; i <= to && i < N; i++) {
      double increment = 3.0 * x[i] * x[i] * seed;
#pragma omp atomic
      dx[i] += increment; //~ wrong: double-add
    }
  }
}

int main(void) {
  double x[N] = {1.0, 0.5, -2.0, 1.5, 0.75, 3.0}, dx[N] = {0};
  __adj_check_gradient((void *)cubes, (void *)cubes_reverse, x, dx, 1.0);
  printf("%g %g\n", dx[0], dx[2]);
  return 0;
}
