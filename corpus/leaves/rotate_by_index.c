// Bits rotated by as many places as the index says.
#include "bits.h"
static uint64_t left(uint64_t u, unsigned by) { return u << (by & 63) | u >> (-by & 63); }
static void leave(const double *x, double *y, int n) {
  uint64_t turned[8];
  for (int i = 0; i < n; i++)
    turned[i] = left(bits_of(x[i]), 7u * i + 3);
  for (int i = 0; i < n; i++)
    y[i] = number_of(left(turned[i], 64 - (7u * i + 3)));
}
#include "judge.h"
