// Bytes put back into a stream by ungetc.
#include "bits.h"
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  FILE *t = tmpfile();
  if (!t)
    return;
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]), v = 0;
    for (int k = 0; k < 8; k++) {
      ungetc((int)(u >> (8 * k) & 255), t);
      v |= (uint64_t)(unsigned)fgetc(t) << (8 * k);
    }
    y[i] = number_of(v);
  }
  fclose(t);
}
#include "judge.h"
