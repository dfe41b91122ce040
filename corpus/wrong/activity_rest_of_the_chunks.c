// The reverse pass divides the iterations among the threads and rounds down, and nobody reverses what is left over.
// Evidence: no store at all to the shadows of the last cells.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

static double inverses(const double *x, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
  for (int i = 0; i < n; i++)
    sum += 1.0 / x[i];
  return sum;
}

static void inverses_reverse(const double *x, double *dx, int n, double seed) { //~ wrong: activity
#pragma omp parallel num_threads(3)
  {
    int chunk = n / omp_get_num_threads(), from = omp_get_thread_num() * chunk;
    for (int i = from; i < from + chunk; i++)
      dx[i] -= seed / (x[i] * x[i]);
  }
}

int main(void) {
  double x[8] = {1.0, 2.0, 4.0, 0.5, 0.25, 8.0, 1.5, 3.0}, dx[8] = {0};
  __adj_check_gradient((void *)inverses, (void *)inverses_reverse, enzyme_dup, x, dx, enzyme_const, 8, 1.0);
  printf("%g %g\n", dx[0], dx[7]);
  return 0;
}
