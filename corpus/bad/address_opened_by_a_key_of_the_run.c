// An address travels with a large key added, and is made whole by a key that only the run knows: where in the block it
// leads, nothing tells. The block is copied with a length that only the run knows.
// adj-exit: 3
// adj-message: do not repeat regularly
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double value(const double *x, long n, uint64_t key) {
  double *block = malloc(n * sizeof *block), *copy = malloc(n * sizeof *copy);
  uint64_t sealed = (uint64_t)block + 0x9e3779b97f4a7c15u;
  double *opened = (double *)(sealed - key);
  for (long i = 0; i < n; i++) {
    opened[i] = x[i] * x[n - 1 - i] * (i + 1);
  }
  memcpy(copy, opened, n * sizeof *copy);
  double sum = 0;
  for (long i = 0; i < n; i++) {
    sum += copy[i] * copy[i];
  }
  free(block);
  free(copy);
  return sum;
}

int main(void) {
  double x[3] = {0.5, -1.25, 2.0}, dx[3] = {0};
  __enzyme_autodiff((void *)value, enzyme_dup, x, dx, enzyme_const, 3L, enzyme_const, 0x9e3779b97f4a7c15u);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
