// Iterations take what a running sum was and add to it in one atomic operation, in any order; the result is the same
// in all of them. The reverse pass goes through the recorded order from its beginning. Evidence: the sum was
// overwritten, and an earlier part of it stands where a later one should.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

enum { N = 4 };

static double pairs(double *sum, const double *x) {
  double products = 0.0;
#pragma omp parallel for reduction(+ : products) num_threads(2)
  for (int i = 0; i < N; i++) {
    double found;
#pragma omp atomic capture
    {
      found = *sum;
      *sum += x[i];
    }
    products += found * x[i];
  }
  return products;
}

static void pairs_reverse(double *sum, double *dsum, const double *x, double *dx, double seed) {
  double found[N];
  int order[N], next = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < N; i++) {
#pragma omp critical
    {
      found[i] = *sum;
      *sum += x[i];
      order[next++] = i;
    }
  }
  for (int k = 0; k < N; k++) {
    int i = order[k];
    dx[i] += *dsum + found[i] * seed; //~ wrong: cache
    *dsum += x[i] * seed;
  }
}

int main(void) {
  double sum = 0.5, dsum = 0.25, x[N] = {1.0, 2.0, 4.0, 8.0}, dx[N] = {0};
  __adj_check_gradient((void *)pairs, (void *)pairs_reverse, &sum, &dsum, x, dx, 1.0);
  printf("%g\n", sum);
  return 0;
}
