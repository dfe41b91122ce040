// Halves of the bits go through errno.
#include "bits.h"
#include <errno.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    errno = (int)bits_of(x[i]);
    uint64_t v = (uint32_t)errno;
    errno = (int)(bits_of(x[i]) >> 32);
    y[i] = number_of(v | (uint64_t)(uint32_t)errno << 32);
  }
  errno = 0;
}
#include "judge.h"
