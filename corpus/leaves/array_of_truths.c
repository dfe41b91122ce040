// One byte for each bit.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    unsigned char bit[64];
    uint64_t u = bits_of(x[i]), v = 0;
    for (int k = 0; k < 64; k++)
      bit[k] = u >> k & 1;
    for (int k = 0; k < 64; k++)
      v |= (uint64_t)bit[k] << k;
    y[i] = number_of(v);
  }
}
#include "judge.h"
