// The energy counts each pair once. The reverse pass goes through all of the square (collapse), in which each pair
// stands twice, and adds to both of its ends each time. Evidence: all components are twice the right ones.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

enum { N = 4 };

static double repulsion(const double *x) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic) num_threads(3)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      sum += 1.0 / ((x[i] - x[j]) * (x[i] - x[j]));
  return sum;
}

static void repulsion_reverse(const double *x, double *dx, double seed) {
#pragma omp parallel for collapse(2) num_threads(3)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double way = x[i] - x[j];
      double force = i == j ? 0.0 : -2.0 * seed / (way * way * way);
      for (int end = 0; end < 2; end++) {
#pragma omp atomic
        dx[end ? j : i] += end ? -force : force; //~ wrong: double-add
      }
    }
}

int main(void) {
  double x[N] = {0.0, 1.0, 2.5, 4.5}, dx[N] = {0};
  __adj_check_gradient((void *)repulsion, (void *)repulsion_reverse, x, dx, 1.0);
  printf("%g\n", repulsion(x));
  return 0;
}
