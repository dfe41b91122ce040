// A stencil gathers from its neighbours, and its reverse scatters to them: at the border of two chunks two threads
// add to one shadow.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static void diffuse(const double *u, double *v, int n) {
#pragma omp parallel for schedule(static) num_threads(2)
  for (int i = 1; i < n - 1; i++)
    v[i] = 0.25 * u[i - 1] * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
}

static void diffuse_reverse(const double *u, double *du, double *v, double *dv, int n) {
  diffuse(u, v, n);
#pragma omp parallel for schedule(static) num_threads(2)
  for (int i = 1; i < n - 1; i++) {
    double weight[3] = {0.5 * u[i - 1], 0.5, 0.25};
    for (int k = 0; k < 3; k++)
      du[i - 1 + k] += weight[k] * dv[i]; //~ race
    dv[i] = 0.0;
  }
}

int main(void) {
  double u[8] = {1, 3, 2, 5, 4, 7, 6, 8}, du[8] = {0}, v[8] = {0}, dv[8];
  for (int i = 0; i < 8; i++)
    dv[i] = 1.0;
  __adj_check_gradient((void *)diffuse, (void *)diffuse_reverse, enzyme_dup, u, du, enzyme_dup, v, dv, enzyme_const, 8);
  printf("%g\n", v[3]);
  return 0;
}
