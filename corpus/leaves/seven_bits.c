// Seven bits in each byte, as many bytes as are needed.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  unsigned char wire[80];
  int at = 0;
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]);
    for (; u > 127; u >>= 7)
      wire[at++] = (unsigned char)(u | 128);
    wire[at++] = (unsigned char)u;
  }
  at = 0;
  for (int i = 0; i < n; i++) {
    uint64_t u = 0;
    int shift = 0;
    do
      u |= (uint64_t)(wire[at] & 127) << shift, shift += 7;
    while (wire[at++] & 128);
    y[i] = number_of(u);
  }
}
#include "judge.h"
