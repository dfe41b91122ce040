// Gray's code of the bits, and back.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t gray[8];
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]);
    gray[i] = u ^ u >> 1;
  }
  for (int i = 0; i < n; i++) {
    uint64_t u = gray[i];
    for (int by = 1; by < 64; by *= 2)
      u ^= u >> by;
    y[i] = number_of(u);
  }
}
#include "judge.h"
