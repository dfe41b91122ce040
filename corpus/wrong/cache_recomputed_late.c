// Cache: the reverse sweep of a Gauss-Seidel update recomputes a neighbour from memory that the
// sweep has already changed. Right for one round, wrong for two or more. Evidence: the value read
// differs from the one the primal read at the same dynamic instance, because of a later store.
#include "adj.h"
#include <stdio.h>

#define N 4

static void sweep(double *u, int rounds) {
  for (int r = 0; r < rounds; r++)
    for (int i = 1; i < N; i++)
      u[i] += 0.3 * u[i - 1] * u[i - 1];
}

static void dsweep(double *u, double *du, int rounds) {
  sweep(u, rounds);
  for (int r = rounds - 1; r >= 0; r--)
    for (int i = N - 1; i >= 1; i--)
      du[i - 1] += 0.6 * u[i - 1] * du[i]; //~ wrong: cache
}

int main(void) {
  double u[N] = {0.5, 1.0, -0.4, 0.8}, du[N] = {0.0, 0.0, 0.0, 1.0};
  __adj_check_gradient((void *)sweep, (void *)dsweep, enzyme_dup, u, du, enzyme_const, 3);
  for (int i = 0; i < N; i++)
    printf("%.17g\n", u[i]);
  return 0;
}
