// A matrix of half a megabyte is copied by one call.
#include "adj.h"
#include <stdio.h>
#include <string.h>

#define N 256

static double matrix[N][N], again[N][N];

static double f(const double *x) {
  matrix[1][5] = x[0] * x[0];
  matrix[N - 1][N - 1] = x[1] * 3;
  memcpy(again, matrix, sizeof matrix);
  return again[1][5] + again[N - 1][N - 1];
}

int main(void) {
  double x[2] = {0.5, -1.5}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  printf("%g %g\n", d[0], d[1]);
  return 0;
}
