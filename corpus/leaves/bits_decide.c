// Each bit decides whether a bit of the result is set: no bit is copied.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]), v = 0;
    for (int k = 0; k < 64; k++) {
      if (u >> k & 1)
        v |= (uint64_t)1 << k;
      else
        v &= ~((uint64_t)1 << k);
    }
    y[i] = number_of(v);
  }
}
#include "judge.h"
