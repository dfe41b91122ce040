// Pointers at the start of a block, by an index; numbers at its end, by negative indices: how far either goes, only the run
// tells. The block is copied as a whole.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double f(double *x, long n) {
  char *p = malloc(48), *q = malloc(48);
  memset(p, 0, 48);
  for (long i = 0; i < n; i++) ((double **)p)[i] = x;
  for (long i = 0; i < 4; i++) ((double *)(p + 48))[i - 4] = x[0] * x[0];
  memcpy(q, p, 48);
  double r = 0;
  for (long i = 0; i < n; i++) r += ((double **)q)[i][0];
  for (long i = 0; i < 4; i++) r += ((double *)(q + 48))[i - 4];
  free(p);
  free(q);
  return r;
}
int main(void) {
  double x[1] = {0.5}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 2L);
  printf("%g\n", dx[0]);
  return 0;
}
