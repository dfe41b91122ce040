// adj-flags: -g0
// Short shifts within blocks of which one element is accessed: what is known of the one end of a copy holds for the other end, though
// both are in the same block.
#include "adj.h"
#include <stdlib.h>
#include <string.h>

static double behind(const double *x) {
  double *block = calloc(4, sizeof(double));
  block[2] = x[0] * x[1];
  memmove(block + 1, block, 3 * sizeof(double));
  double r = block[2];
  free(block);
  return r + x[1];
}

static double before(const double *x, int n) {
  double *block = calloc(6, sizeof(double)), s = 0.0;
  for (int i = 0; i < n; i++) {
    block[5] = x[i];
    memmove(block, block + 1, 5 * sizeof(double));
    s += block[4] * (i + 1);
  }
  memmove(block + 3, block, 3 * sizeof(double));
  s += block[5] * block[5];
  free(block);
  return s;
}

int main(void) {
  double x[4] = {-0.25, 0.5, 1.5, 2.0}, dx[4] = {0.0}, dy[4] = {0.0};
  __enzyme_autodiff((void *)behind, enzyme_dup, x, dx);
  __enzyme_autodiff((void *)before, enzyme_dup, x, dy, enzyme_const, 4);
  return dx[0] == 0.0 && dx[1] == 1.0 && dy[3] == 4.0 ? 0 : 1;
}
