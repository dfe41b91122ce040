// A signed key whose order is that of the numbers, and back.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  int64_t key[8];
  for (int i = 0; i < n; i++) {
    int64_t u = (int64_t)bits_of(x[i]);
    key[i] = u ^ (int64_t)((uint64_t)(u >> 63) >> 1);
  }
  for (int i = 0; i < n; i++)
    y[i] = number_of((uint64_t)(key[i] ^ (int64_t)((uint64_t)(key[i] >> 63) >> 1)));
}
#include "judge.h"
