// Stale shadow: `df` stores into the shadow where it must accumulate, so what the shadow held on
// entry is lost. Evidence: the result is right for a zero shadow on entry, and otherwise differs
// from the right one by exactly the entry shadow; the guilty store does not read its cell first.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double energy(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * sin(x[i]);
  return sum;
}

static void denergy(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++)
    dx[i] = seed * (sin(x[i]) + x[i] * cos(x[i])); //~ wrong: stale-shadow
}

int main(void) {
  double x[4] = {0.3, 1.1, -0.4, 2.0}, dx[4] = {1.0, -2.0, 0.5, 3.0};
  __adj_check_gradient((void *)energy, (void *)denergy, enzyme_dup, x, dx, enzyme_const, 4, 1.0);
  printf("%.17g\n", energy(x, 4));
  return 0;
}
