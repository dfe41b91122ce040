// Bits sorted by their bytes, one after the other.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t a[8], b[8];
  for (int i = 0; i < n; i++)
    a[i] = bits_of(x[i]);
  for (int shift = 0; shift < 64; shift += 8) {
    int start[257] = {0};
    for (int i = 0; i < n; i++)
      start[(a[i] >> shift & 255) + 1]++;
    for (int k = 0; k < 256; k++)
      start[k + 1] += start[k];
    for (int i = 0; i < n; i++)
      b[start[a[i] >> shift & 255]++] = a[i];
    memcpy(a, b, sizeof a[0] * n);
  }
  for (int i = 0; i < n; i++)
    y[i] = number_of(a[i]);
}
#include "judge.h"
