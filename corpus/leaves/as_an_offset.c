// Quarters of the bits as distances of pointers.
#include "bits.h"
static char ground[65536];
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    const char *place[4];
    uint64_t u = bits_of(x[i]), v = 0;
    for (int k = 0; k < 4; k++)
      place[k] = ground + (u >> (16 * k) & 65535);
    for (int k = 0; k < 4; k++)
      v |= (uint64_t)(place[k] - ground) << (16 * k);
    y[i] = number_of(v);
  }
}
#include "judge.h"
