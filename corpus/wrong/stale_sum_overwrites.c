// Every thread has a copy of the scale (firstprivate), and the adjoints of the copies are reduced to one sum. The sum
// is stored to the shadow of the scale, and not added to it. Evidence: what the shadow held on entry is lost.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double scaled(const double *scale, const double *x, int n) {
  double sum = 0.0, factor = *scale;
#pragma omp parallel for firstprivate(factor) reduction(+ : sum) num_threads(3)
  for (int i = 0; i < n; i++)
    sum += factor * factor * x[i];
  return sum;
}

static void scaled_reverse(const double *scale, double *dscale, const double *x, double *dx, int n, double seed) {
  double factor = *scale, dfactor = 0.0;
#pragma omp parallel for firstprivate(factor) reduction(+ : dfactor) num_threads(3)
  for (int i = 0; i < n; i++) {
    dfactor += 2.0 * factor * x[i] * seed;
    dx[i] += factor * factor * seed;
  }
  *dscale = dfactor; //~ wrong: stale-shadow
}

int main(void) {
  double scale = 1.5, dscale = 0.5, x[6] = {1.0, 2.0, 0.5, 4.0, 3.0, 0.25}, dx[6] = {0};
  __adj_check_gradient((void *)scaled, (void *)scaled_reverse, enzyme_dup, &scale, &dscale, enzyme_dup, x, dx,
                       enzyme_const, 6, 1.0);
  printf("%g\n", scaled(&scale, x, 6));
  return 0;
}
