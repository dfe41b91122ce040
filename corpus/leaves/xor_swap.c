// Two numbers change places by three combinations of their bits, twice.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t a[8];
  for (int i = 0; i < n; i++)
    a[i] = bits_of(x[i]);
  for (int round = 0; round < 2; round++) {
    a[0] ^= a[n - 1];
    a[n - 1] ^= a[0];
    a[0] ^= a[n - 1];
  }
  for (int i = 0; i < n; i++)
    y[i] = number_of(a[i]);
}
#include "judge.h"
