// Each thread has a part of a sum, and the adjoint of the sum is handed to the part of thread 0 alone: the others go
// on with zero. Evidence: the components of their iterations get nothing although the result depends on them.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

static double energy(const double *v, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(static) num_threads(3)
  for (int i = 0; i < n; i++)
    sum += 0.5 * v[i] * v[i];
  return sum;
}

static void energy_reverse(const double *v, double *dv, int n, double seed) {
#pragma omp parallel num_threads(3)
  {
    double part = 0.0;
    if (omp_get_thread_num() == 0)
      part = seed;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      dv[i] += v[i] * part; //~ wrong: activity
  }
}

int main(void) {
  double v[7] = {1.0, -2.0, 0.5, 3.0, 1.5, -0.25, 2.5}, dv[7] = {0};
  __adj_check_gradient((void *)energy, (void *)energy_reverse, enzyme_dup, v, dv, enzyme_const, 7, 1.0);
  printf("%g %g\n", dv[0], dv[6]);
  return 0;
}
