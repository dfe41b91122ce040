// Two numbers in an integer of 128 bits.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    unsigned __int128 both = (unsigned __int128)bits_of(x[i]) << 64 | bits_of(x[(i + 1) % n]);
    volatile unsigned __int128 kept = both;
    both = kept;
    y[i] = number_of((uint64_t)(both >> 64));
  }
}
#include "judge.h"
