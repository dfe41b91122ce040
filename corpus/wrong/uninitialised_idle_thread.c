// The threads clear their parts of the adjoint in their first iteration. There are more threads than iterations, and
// all parts are added up. Evidence: the part of a thread that had nothing to do is read, and nobody has written it.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4 };

static double tension(const double *pull, const double *length, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(THREADS)
  for (int i = 0; i < n; i++)
    sum += *pull * *pull * length[i];
  return sum;
}

static void tension_reverse(const double *pull, double *dpull, const double *length, int n, double seed) {
  double *part = malloc(THREADS * sizeof *part);
  if (!part)
    abort();
#pragma omp parallel num_threads(THREADS)
  {
    int begun = 0;
#pragma omp for
    for (int i = 0; i < n; i++) {
      if (!begun++)
        part[omp_get_thread_num()] = 0.0;
      part[omp_get_thread_num()] += 2.0 * *pull * length[i] * seed;
    }
  }
  for (int t = 0; t < THREADS; t++)
    *dpull += part[t]; //~ wrong: uninitialised
  free(part);
}

int main(void) {
  double pull = 1.5, dpull = 0.0, length[3] = {1.0, 2.0, 0.5};
  __adj_check_gradient((void *)tension, (void *)tension_reverse, enzyme_dup, &pull, &dpull, enzyme_const, length,
                       enzyme_const, 3, 1.0);
  printf("%g\n", tension(&pull, length, 3));
  return 0;
}
