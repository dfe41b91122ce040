// The fraction as an integer, which is converted to a number and scaled by the exponent.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]);
    int64_t fraction = (int64_t)((u & 0x000fffffffffffffu) | 0x0010000000000000u);
    int exponent = (int)(u >> 52 & 2047) - 1075;
    double v = (double)(u >> 63 ? -fraction : fraction);
    for (; exponent < 0; exponent++)
      v *= 0.5;
    y[i] = v;
  }
}
#include "judge.h"
