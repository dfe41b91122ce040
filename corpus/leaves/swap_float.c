// Bytes of a number of single precision swapped twice.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    float v = (float)x[i];
    uint32_t u;
    memcpy(&u, &v, 4);
    volatile uint32_t wire = __builtin_bswap32(u);
    u = __builtin_bswap32(wire);
    memcpy(&v, &u, 4);
    y[i] = v;
  }
}
#include "judge.h"
