// The bits are found by bisection: only comparisons read the number.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]), v = 0;
    for (int k = 63; k >= 0; k--)
      if (u >= (v | (uint64_t)1 << k))
        v |= (uint64_t)1 << k;
    y[i] = number_of(v);
  }
}
#include "judge.h"
