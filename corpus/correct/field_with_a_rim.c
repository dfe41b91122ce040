// A field of which the pointer leads to the first inner cell: indices of the rim are negative, and all of it is copied.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { W = 6, N = 4 };

static double f(const double *x) {
  double *m = malloc(W * W * sizeof(double)), *o = malloc(W * W * sizeof(double));
  double *u = m + W + 1, *v = o + W + 1;
  for (int j = -1; j <= N; j++)
    for (int i = -1; i <= N; i++) u[j * W + i] = x[(i + j) & 1] * x[(i + j) & 1];
  memcpy(o, m, W * W * sizeof(double));
  double r = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      r += v[(j - 1) * W + i] + v[(j + 1) * W + i] + v[j * W + i - 1] + v[j * W + i + 1] -
           4 * v[j * W + i] * v[j * W + i];
  free(m);
  free(o);
  return r;
}
int main(void) {
  double x[2] = {0.5, -1.5}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  printf("%g %g\n", d[0], d[1]);
  return 0;
}
