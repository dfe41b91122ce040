// The thread that adds up the parts (master) is also the one that hands the sum's adjoint back to them. The others do
// not wait for it, as they would for a single.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double product_of_sums(const double *x, const double *y, int n) {
  double sums[2] = {0.0, 0.0};
#pragma omp parallel for reduction(+ : sums) num_threads(3)
  for (int i = 0; i < n; i++) {
    sums[0] += x[i];
    sums[1] += y[i];
  }
  return sums[0] * sums[1];
}

static inline __attribute__((always_inline)) void pass(const double *from, double *to, double factor) {
  *to += factor * *from; //~ race
}

static void product_of_sums_reverse(const double *x, double *dx, const double *y, double *dy, int n, double seed) {
  double sums[2] = {0.0, 0.0}, dsums[2] = {0.0, 0.0};
  for (int i = 0; i < n; i++) {
    sums[0] += x[i];
    sums[1] += y[i];
  }
#pragma omp parallel num_threads(3)
  {
#pragma omp master
    {
      pass(&seed, &dsums[0], sums[1]);
      pass(&seed, &dsums[1], sums[0]);
    }
#pragma omp for
    for (int i = 0; i < n; i++) {
      pass(&dsums[0], &dx[i], 1.0);
      pass(&dsums[1], &dy[i], 1.0);
    }
  }
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0}, y[3] = {0.5, 0.25, -1.0}, dy[3] = {0};
  __adj_check_gradient((void *)product_of_sums, (void *)product_of_sums_reverse, enzyme_dup, x, dx, enzyme_dup, y, dy,
                       enzyme_const, 3, 1.0);
  printf("%g\n", product_of_sums(x, y, 3));
  return 0;
}
