// Memory that each iteration allocates.
// adj-flags: -fopenmp
#include "differences.h"
#include <stdlib.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double y[N];
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double *t = malloc((i + 1) * sizeof *t);
    for (int k = 0; k <= i; k++)
      t[k] = x[k] * x[i];
    double s = 0;
    for (int k = 0; k <= i; k++)
      s += sin(t[k]);
    y[i] = s;
    free(t);
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
