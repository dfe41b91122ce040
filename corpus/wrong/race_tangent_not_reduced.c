// A tangent. The sum is reduced, and its tangent was forgotten in the clause: all threads add to one variable.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double work(const double *force, const double *way, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += force[i] * way[i];
  return sum;
}

static double work_forward(const double *force, const double *tforce, const double *way, const double *tway, int n) {
  double sum = 0.0, tsum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
  for (int i = 0; i < n; i++) {
    sum += force[i] * way[i];
    tsum += tforce[i] * way[i] + force[i] * tway[i]; //~ race
  }
  return tsum;
}

int main(void) {
  double force[6] = {1, 2, 3, 4, 5, 6}, way[6] = {6, 5, 4, 3, 2, 1};
  double tforce[6] = {1, 0, 0, 1, 0, 0}, tway[6] = {0, 1, 0, 0, 0, 2};
  __adj_check_tangent((void *)work, (void *)work_forward, enzyme_dup, force, tforce, enzyme_dup, way, tway,
                      enzyme_const, 6);
  printf("%g\n", work(force, way, 6));
  return 0;
}
