// Numbers reached from the end of a block by negative indices, copied with a length of the run, and then byte by byte.
// adj-exit: 3
// adj-levels: O0
// adj-message: bits of an active float
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double f(const double *x, int n) {
  char stack[64];
  double *end = (double *)(stack + sizeof stack);
  for (long i = 0; i < 8; i++)
    end[i - 8] = x[0] * x[1] * (i + 1);
  char *copy = malloc(sizeof stack), *again = malloc(sizeof stack);
  memmove(copy, stack, n * sizeof(double));
  for (int i = 0; i < 64; i++)
    again[i] = copy[i];
  double result = *(double *)again;
  free(copy);
  free(again);
  return result;
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 8);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
