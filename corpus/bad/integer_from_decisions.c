// An integer is put together from decisions on the bits of a number, and becomes a number by its value.
// adj-exit: 3
// adj-message: an active number that left the floats
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static double f(const double *x) {
  double y = x[0] * x[0];
  int64_t u, v = 0;
  memcpy(&u, &y, 8);
  for (int b = 0; b < 52; b++)
    if (u >> b & 1) v |= 1ll << b;
  return 2 + (double)v * 0x1p-51;
}
int main(void) {
  double x[1] = {1.5}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g\n", dx[0]);
  return 0;
}
