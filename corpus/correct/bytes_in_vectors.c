// Pointers move in vectors of bytes.
#include "adj.h"
#include <stdio.h>
#include <string.h>

typedef unsigned char Bytes __attribute__((vector_size(16)));

static double f(const double *x, const double *y) {
  const double *pair[2] = {x, y};
  Bytes bytes, turned;
  memcpy(&bytes, pair, 16);
  turned = __builtin_shufflevector(bytes, bytes, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  const double *back[2];
  memcpy(back, &turned, 16);
  return *back[0] * *back[0] * *back[1];
}

int main(void) {
  double x = 2, y = 3, dx = 0, dy = 0;
  __enzyme_autodiff((void *)f, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
  printf("%g %g\n", dx, dy);
  return 0;
}
