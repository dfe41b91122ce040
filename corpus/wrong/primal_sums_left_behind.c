// Each thread adds the adjoint of the common scale to a variable of its own that outlives the region, and does not
// clear it when it has handed it over: a second call would add it once more. Evidence: memory outside of all
// arguments is not what the primal leaves.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double dscale_here;
#pragma omp threadprivate(dscale_here)

static double weighted(const double *scale, const double *x, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < n; i++)
    sum += *scale * x[i] * x[i];
  return sum;
}

static void weighted_reverse(const double *scale, double *dscale, const double *x, double *dx, int n, double seed) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
      dscale_here += x[i] * x[i] * seed; //~ wrong: primal-corruption
      dx[i] += 2.0 * *scale * x[i] * seed;
    }
#pragma omp atomic
    *dscale += dscale_here;
  }
}

int main(void) {
  double scale = 0.5, dscale = 0.0, x[4] = {1.0, 3.0, 2.0, 0.5}, dx[4] = {0};
  __adj_check_gradient((void *)weighted, (void *)weighted_reverse, enzyme_dup, &scale, &dscale, enzyme_dup, x, dx,
                       enzyme_const, 4, 1.0);
  printf("%g %g\n", dscale, dx[0]);
  return 0;
}
