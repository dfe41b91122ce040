// Bytes swapped when a number is stored, and again when it is loaded.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t wire[8];
  for (int i = 0; i < n; i++)
    wire[i] = __builtin_bswap64(bits_of(x[i]));
  for (int i = 0; i < n; i++)
    y[i] = number_of(__builtin_bswap64(wire[i]));
}
#include "judge.h"
