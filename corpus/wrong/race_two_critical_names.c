// Two sections add to the same shadow, each in a critical section; these have two names, so that neither keeps the
// other one out.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double moments(const double *centre, const double *x, int n) {
  double linear = 0.0, square = 0.0;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    for (int i = 0; i < n; i++)
      linear += x[i] - *centre;
#pragma omp section
    for (int i = 0; i < n; i++)
      square += (x[i] - *centre) * (x[i] - *centre);
  }
  return linear + square;
}

static inline __attribute__((always_inline)) void add(double *shadow, double increment) {
  *shadow += increment; //~ race
}

static void moments_reverse(const double *centre, double *dcentre, const double *x, int n, double seed) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    for (int i = 0; i < n; i++) {
#pragma omp critical(linear)
      add(dcentre, -seed);
    }
#pragma omp section
    for (int i = 0; i < n; i++) {
#pragma omp critical(square)
      add(dcentre, -2.0 * (x[i] - *centre) * seed);
    }
  }
}

int main(void) {
  double centre = 1.25, dcentre = 0.0, x[4] = {1.0, 0.5, 2.0, 3.0};
  __adj_check_gradient((void *)moments, (void *)moments_reverse, enzyme_dup, &centre, &dcentre, enzyme_const, x,
                       enzyme_const, 4, 1.0);
  printf("%g\n", moments(&centre, x, 4));
  return 0;
}
