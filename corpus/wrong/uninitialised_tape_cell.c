// Uninitialised: the forward sweep stores its tape only for positive values, the reverse sweep
// reads it for all. Evidence: a tape cell is read before anything was written to it.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double gated(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] > 0.0 ? exp(x[i]) : 0.5 * exp(2.0 * x[i]);
  return sum;
}

__attribute__((noinline)) static double *make_tape(int n) {
  return malloc((size_t)n * sizeof(double));
}

static void dgated(const double *x, double *dx, int n, double seed) {
  double *tape = make_tape(n);
  for (int i = 0; i < n; i++)
    if (x[i] > 0.0)
      tape[i] = exp(x[i]);
  for (int i = n - 1; i >= 0; i--)
    dx[i] += tape[i] * seed; //~ wrong: uninitialised
  free(tape);
}

int main(void) {
  double x[4] = {0.4, -0.7, 1.2, 0.1}, dx[4] = {0};
  __adj_check_gradient((void *)gated, (void *)dgated, enzyme_dup, x, dx, enzyme_const, 4, 1.0);
  printf("%.17g\n", gated(x, 4));
  return 0;
}
