// The tasks of a loop (taskloop) each need two adjoints of what is in between. All of them keep these in one array.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <stdio.h>

static void orbits(const double *x, double *y, int n) {
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < n; i++) {
    double inner = sin(x[i]), outer = inner * inner;
    y[i] = outer + inner;
  }
}

static void orbits_reverse(const double *x, double *dx, double *y, double *dy, int n) {
  volatile double between[2];
  orbits(x, y, n);
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop grainsize(1) shared(between)
  for (int i = 0; i < n; i++) {
    between[1] = dy[i]; //~ race
    between[0] = dy[i] + 2.0 * sin(x[i]) * between[1];
    dx[i] += cos(x[i]) * between[0];
    dy[i] = 0.0;
  }
}

int main(void) {
  double x[5] = {0.2, 0.4, 0.8, 1.6, 3.2}, dx[5] = {0}, y[5], dy[5] = {1.0, 1.0, 1.0, 1.0, 1.0};
  __adj_check_gradient((void *)orbits, (void *)orbits_reverse, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 5);
  printf("%g\n", y[4]);
  return 0;
}
