// Bytes put into a buffer from the last to the first, and taken out in that order.
static void leave(const double *x, double *y, int n) {
  unsigned char wire[64];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++)
      wire[8 * i + k] = ((const unsigned char *)(x + i))[7 - k];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++)
      ((unsigned char *)(y + i))[k] = wire[8 * i + 7 - k];
}
#include "judge.h"
