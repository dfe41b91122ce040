// A number is stored at a byte that is counted, in a block that is copied with a length only the run knows and then
// moved in words: which of them are numbers nobody knows.
//
// adj-levels: O0
// adj-exit: 3
// adj-message: bits of an active float
#include "adj.h"
#include <stdlib.h>
#include <string.h>

static double f(const double *x, unsigned long bytes) {
  char *block = malloc(24);
  long other[3], last[3];
  for (int i = 8; i < 9; i++)
    *(double *)(block + i) = x[0] * x[1];
  memcpy(other, block, bytes);
  for (int i = 0; i < 3; i++)
    last[2 - i] = other[i];
  free(block);
  return ((double *)last)[1];
}

int main(void) {
  double x[2] = {0.5, -1.25}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 24ul);
  return 0;
}
