// The index of a table is put together from decisions on the bits of a number.
// adj-exit: 3
// adj-message: an active number that left the floats
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static int table[8192];
static double f(const double *x) {
  double y = x[0] * x[0], z;
  uint64_t u, v;
  memcpy(&u, &y, 8);
  v = 0x4000000000000000ull;
  for (int k = 0; k < 4; k++) {
    int idx = 0;
    for (int b = 0; b < 13; b++)
      if (u >> (13 * k + b) & 1) idx |= 1 << b;
    v |= (uint64_t)table[idx] << (13 * k);
  }
  memcpy(&z, &v, 8);
  return z;
}
int main(void) {
  for (int i = 0; i < 8192; i++) table[i] = i;
  double x[1] = {1.5}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g\n", dx[0]);
  return 0;
}
