// Each iteration waits for the one before (depend sink) and says when it is done (source). Those of the reverse pass
// say that they are done, and wait for nobody.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static void sweep(double *u, int n) {
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(3)
  for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    u[i] += 0.5 * u[i - 1];
#pragma omp ordered depend(source)
  }
}

static void sweep_reverse(double *u, double *du, int n) {
  sweep(u, n);
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(3)
  for (int k = 1; k < n; k++) {
    int i = n - k;
    du[i - 1] += 0.5 * du[i]; //~ race
#pragma omp ordered depend(source)
  }
}

int main(void) {
  double u[6] = {1, 2, 3, 4, 5, 6}, du[6] = {0, 0, 0, 0, 0, 1};
  __adj_check_gradient((void *)sweep, (void *)sweep_reverse, enzyme_dup, u, du, enzyme_const, 6);
  printf("%g\n", u[5]);
  return 0;
}
