// Several iterations read one element, so that several threads add to its shadow: by a plain addition, which races.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double spring(const double *x, const int *a, const int *b, int n) {
  double energy = 0.0;
#pragma omp parallel for reduction(+ : energy)
  for (int i = 0; i < n; i++) {
    double stretch = x[a[i]] - x[b[i]];
    energy += 0.5 * stretch * stretch;
  }
  return energy;
}

static void spring_reverse(const double *x, double *dx, const int *a, const int *b, int n, double seed) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double force = (x[a[i]] - x[b[i]]) * seed;
    dx[a[i]] += force; //~ race
#pragma omp atomic
    dx[b[i]] -= force;
  }
}

int main(void) {
  double x[3] = {0.0, 1.5, 4.0}, dx[3] = {0};
  int a[8], b[8];
  for (int i = 0; i < 8; i++) {
    a[i] = 0;
    b[i] = 1 + i % 2;
  }
  __adj_check_gradient((void *)spring, (void *)spring_reverse, enzyme_dup, x, dx, enzyme_const, a, enzyme_const, b, enzyme_const, 8, 1.0);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
