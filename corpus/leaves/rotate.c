// Bits rotated to the left, then to the right.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t turned[8];
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]);
    turned[i] = u << 13 | u >> 51;
  }
  for (int i = 0; i < n; i++)
    y[i] = number_of(turned[i] >> 13 | turned[i] << 51);
}
#include "judge.h"
