// Bits multiplied by an odd number and by its inverse modulo 2^64.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t odd = 0x9e3779b97f4a7c15u, inverse = odd, hash[8];
  for (int k = 0; k < 6; k++)
    inverse *= 2 - odd * inverse;
  for (int i = 0; i < n; i++)
    hash[i] = bits_of(x[i]) * odd;
  for (int i = 0; i < n; i++)
    y[i] = number_of(hash[i] * inverse);
}
#include "judge.h"
