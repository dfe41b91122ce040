// Bytes copied one by one.
static void leave(const double *x, double *y, int n) {
  const unsigned char *from = (const unsigned char *)x;
  unsigned char *to = (unsigned char *)y;
  for (int k = 0; k < 8 * n; k++)
    to[k] = from[k];
}
#include "judge.h"
