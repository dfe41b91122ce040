// Bytes swapped by shifts and masks.
#include "bits.h"
static uint64_t swap(uint64_t u) {
  u = (u & 0x00ff00ff00ff00ffu) << 8 | (u >> 8 & 0x00ff00ff00ff00ffu);
  u = (u & 0x0000ffff0000ffffu) << 16 | (u >> 16 & 0x0000ffff0000ffffu);
  return u << 32 | u >> 32;
}
static void leave(const double *x, double *y, int n) {
  uint64_t wire[8];
  for (int i = 0; i < n; i++)
    wire[i] = swap(bits_of(x[i]));
  for (int i = 0; i < n; i++)
    y[i] = number_of(swap(wire[i]));
}
#include "judge.h"
