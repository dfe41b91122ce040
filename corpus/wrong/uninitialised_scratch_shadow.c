// Uninitialised: the shadow of a scratch array comes from malloc and is accumulated into without
// having been cleared. Evidence: a load in `df` reads bytes that nobody has written, and the value
// reaches the shadow of `x`.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double chain(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[(i + 1) % n];
  return sum;
}

__attribute__((noinline)) static double *scratch(int n) {
  return malloc((size_t)n * sizeof(double));
}

static void dchain(const double *x, double *dx, int n, double seed) {
  double *local = scratch(n);
  for (int i = 0; i < n; i++) {
    int next = (i + 1) % n;
    local[i] += 2.0 * x[i] * x[next] * seed; //~ wrong: uninitialised
    dx[next] += x[i] * x[i] * seed;
  }
  for (int i = 0; i < n; i++)
    dx[i] += local[i];
  free(local);
}

int main(void) {
  double x[5] = {1.0, 0.5, 2.0, -1.0, 0.25}, dx[5] = {0};
  __adj_check_gradient((void *)chain, (void *)dchain, enzyme_dup, x, dx, enzyme_const, 5, 1.0);
  printf("%.17g\n", chain(x, 5));
  return 0;
}
