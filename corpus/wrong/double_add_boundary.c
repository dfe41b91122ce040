// Double add: the boundary cell is handled by the loop and again by the code for the boundary.
// Evidence: exactly one component is twice the right one, and its last store doubles it.
#include "adj.h"
#include <stdio.h>

static double roughness(const double *u, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += (1.0 + i) * u[i] * u[i];
  return sum;
}

static void droughness(const double *u, double *du, int n, double seed) {
  for (int i = 0; i < n; i++)
    du[i] += 2.0 * (1.0 + i) * u[i] * seed;
  du[0] += 2.0 * u[0] * seed; //~ wrong: double-add
}

int main(void) {
  double u[5] = {1.0, 0.5, 2.0, -1.5, 0.75}, du[5] = {0};
  __adj_check_gradient((void *)roughness, (void *)droughness, enzyme_dup, u, du, enzyme_const, 5, 1.0);
  printf("%.17g\n", roughness(u, 5));
  return 0;
}
