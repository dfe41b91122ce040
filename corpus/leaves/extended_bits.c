// The bytes of an extended number.
#include <string.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    long double wide = x[i];
    unsigned char b[16] = {0};
    memcpy(b, &wide, 10);
    for (int k = 0; k < 10; k++)
      b[k] ^= 0x55;
    for (int k = 0; k < 10; k++)
      b[k] ^= 0x55;
    wide = 0;
    memcpy(&wide, b, 10);
    y[i] = (double)wide;
  }
}
#include "judge.h"
