// Each number combined with the one before, as compressors of time series do, and back.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t code[8], before = 0;
  for (int i = 0; i < n; i++) {
    code[i] = bits_of(x[i]) ^ before;
    before = bits_of(x[i]);
  }
  before = 0;
  for (int i = 0; i < n; i++) {
    before ^= code[i];
    y[i] = number_of(before);
  }
}
#include "judge.h"
