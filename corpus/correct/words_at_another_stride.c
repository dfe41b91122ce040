// Words are copied at a stride of seven where numbers lie at a stride of five: the two first meet far behind.
// adj-flags: -fno-strict-aliasing
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static double f(const double *x) {
  double *u = calloc(100, 8), *v = calloc(100, 8);
  for (long i = 0; i < 16; i++) u[5 * i + 1] = x[i & 1] * x[i & 1];
  uint64_t *s = (uint64_t *)u, *t = (uint64_t *)v;
  for (long i = 0; i < 12; i++) t[7 * i] = s[7 * i];
  double r = 0;
  for (long i = 0; i < 16; i++) r += v[5 * i + 1];
  free(u);
  free(v);
  return r;
}
int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
