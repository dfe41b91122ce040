// Sweeps in place: each cell is overwritten by a nonlinear function of itself and its left
// neighbour, so that old values must be kept for the reverse pass.
#include "adj.h"
#include <stdio.h>

#define N 8

static void sweep(double *u, int n, int rounds) {
  for (int r = 0; r < rounds; r++) {
    for (int i = 1; i < n; i++)
      u[i] = u[i] * u[i - 1] + 0.1 * u[i];
    for (int i = n - 2; i >= 0; i--)
      u[i] = 0.5 * u[i] + 0.25 * u[i + 1] * u[i + 1];
  }
}

int main(void) {
  double u[N], du[N];
  for (int i = 0; i < N; i++) {
    u[i] = 0.6 + 0.05 * i;
    du[i] = i % 2 ? 1.0 : -0.5;
  }
  __enzyme_autodiff((void *)sweep, enzyme_dup, u, du, enzyme_const, N, enzyme_const, 3);
  for (int i = 0; i < N; i++)
    printf("%.17g %.17g\n", u[i], du[i]);
  return 0;
}
