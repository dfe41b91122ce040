// Activity: the phase is taken for a constant although the result depends on it. Evidence: taint
// from the input reaches the result, and yet the component is exactly zero because no contribution
// was ever made. There is no store to that shadow, so the line is the signature of `df`.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double wave(const double *amplitude, const double *phase, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += amplitude[i] * sin(phase[i] + 0.1 * i);
  return sum;
}

static void dwave(const double *amplitude, double *da, const double *phase, double *dp, int n, double seed) { //~ wrong: activity
  (void)amplitude;
  (void)dp;
  for (int i = 0; i < n; i++)
    da[i] += seed * sin(phase[i] + 0.1 * i);
}

int main(void) {
  double a[3] = {1.0, 0.5, 2.0}, p[3] = {0.2, 0.9, -0.4}, da[3] = {0}, dp[3] = {0};
  __adj_check_gradient((void *)wave, (void *)dwave, enzyme_dup, a, da, enzyme_dup, p, dp, enzyme_const, 3, 1.0);
  printf("%.17g\n", wave(a, p, 3));
  return 0;
}
