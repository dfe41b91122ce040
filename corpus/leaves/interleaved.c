// Bits of two numbers in turns, as in the order of Morton, and taken apart again.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i + 1 < n + 1; i++) {
    uint64_t a = bits_of(x[i]), b = bits_of(x[(i + 1) % n]), z[2] = {0, 0}, u = 0;
    for (int k = 0; k < 64; k++)
      z[k / 32] |= (a >> k & 1) << (2 * k & 63) | (b >> k & 1) << ((2 * k + 1) & 63);
    for (int k = 0; k < 64; k++)
      u |= (z[k / 32] >> (2 * k & 63) & 1) << k;
    y[i] = number_of(u);
  }
}
#include "judge.h"
