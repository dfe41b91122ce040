// Bits combined with a key, twice.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t hidden[8];
  for (int i = 0; i < n; i++)
    hidden[i] = bits_of(x[i]) ^ 0x5bd1e995c2b2ae35u;
  for (int i = 0; i < n; i++)
    y[i] = number_of(hidden[i] ^ 0x5bd1e995c2b2ae35u);
}
#include "judge.h"
