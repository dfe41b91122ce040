// Bits in the opposite order, twice.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t mirror[8];
  for (int i = 0; i < n; i++)
    mirror[i] = __builtin_bitreverse64(bits_of(x[i]));
  for (int i = 0; i < n; i++)
    y[i] = number_of(__builtin_bitreverse64(mirror[i]));
}
#include "judge.h"
