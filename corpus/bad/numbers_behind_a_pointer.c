// Numbers that are named from the end of a block downwards, behind a pointer at its beginning, are copied with the block
// whose length only the run knows, and then byte by byte: which bytes are a pointer's, and which are numbers', depends
// on an index.
//
// adj-levels: O0
// adj-exit: 3
// adj-message: bits of an active float
#include "adj.h"
#include <stdlib.h>
#include <string.h>

static double f(const double *x, unsigned long bytes) {
  char *block = malloc(24);
  char *other = malloc(24);
  *(const double **)block = x;
  double *end = (double *)(block + 24);
  for (int i = 1; i <= 2; i++)
    end[-i] = x[i] * x[0];
  memcpy(other, block, bytes);
  double sum = 0, last[3];
  for (int i = 0; i < 24; i++)
    ((char *)last)[i] = other[i];
  for (int i = 1; i < 3; i++)
    sum += last[i] * i;
  free(block);
  free(other);
  return sum;
}

int main(void) {
  double x[3] = {0.5, -1.25, 3.0}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 24ul);
  return 0;
}
