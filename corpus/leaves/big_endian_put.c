// Bytes put into a buffer by shifts, the first one first, as protocols do, and taken out by shifts.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  unsigned char wire[64];
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]);
    for (int k = 0; k < 8; k++)
      wire[8 * i + k] = (unsigned char)(u >> (56 - 8 * k));
  }
  for (int i = 0; i < n; i++) {
    uint64_t u = 0;
    for (int k = 0; k < 8; k++)
      u = u << 8 | wire[8 * i + k];
    y[i] = number_of(u);
  }
}
#include "judge.h"
