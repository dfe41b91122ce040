// A constant added to the bits and subtracted, as values in boxes of not-a-numbers are.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t box[8];
  for (int i = 0; i < n; i++)
    box[i] = bits_of(x[i]) + 0x0007000000000123u;
  for (int i = 0; i < n; i++)
    y[i] = number_of(box[i] - 0x0007000000000123u);
}
#include "judge.h"
