// Forward over reverse of a loop that is reversed from snapshots by a mark.
// adj-exit: 3
// adj-message: marked as it stands, is not differentiated again
#include "adj.h"

#include <stdio.h>

static double sweep(double *u, int n, int steps) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      u[i] += 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i];
  return u[1];
}
void *__enzyme_checkpoint_loop_1[] = {(void *)sweep, "revolve:3"};

static double loss(const double *x) {
  double u[5];
  for (int i = 0; i < 5; i++) u[i] = x[i];
  sweep(u, 5, 6);
  return u[1] * u[2] + u[3];
}

static void grad(const double *x, double *g) { for (int i = 0; i < 5; i++) g[i] = 0; __enzyme_autodiff((void *)loss, enzyme_dup, x, g); }

int main(void) {
  double x[5] = {1, 0.5, 0.3, 0.8, 0.2}, g[5], dx[5] = {1, 0, 0, 0, 0}, dg[5] = {0};
  __enzyme_fwddiff((void *)grad, enzyme_dup, x, dx, enzyme_dup, g, dg);
  for (int i = 0; i < 5; i++) printf("%g %g\n", g[i], dg[i]);
}
