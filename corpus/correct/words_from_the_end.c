// Numbers that are accessed by negative indices alone, and copied word by word.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double f(const double *x) {
  double *p = malloc(128), *q = malloc(128);
  double *m = p + 8, *n = q + 8;
  for (int i = 0; i < 4; i++) m[-i - 1] = x[i & 1] * x[i & 1];
  uint64_t w;
  memcpy(&w, p + 4, 8);
  memcpy(q + 4, &w, 8);
  memcpy(&w, p + 5, 8);
  memcpy(q + 5, &w, 8);
  memcpy(&w, p + 6, 8);
  memcpy(q + 6, &w, 8);
  memcpy(&w, p + 7, 8);
  memcpy(q + 7, &w, 8);
  double r = 0;
  for (int i = 0; i < 4; i++) r += n[-i - 1];
  free(p);
  free(q);
  return r;
}
int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
