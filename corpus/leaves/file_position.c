// Quarters of the bits as positions of a file.
#include "bits.h"
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  FILE *t = tmpfile();
  if (!t)
    return;
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]), v = 0;
    for (int k = 0; k < 4; k++) {
      fseek(t, (long)(u >> (16 * k) & 65535), SEEK_SET);
      v |= (uint64_t)ftell(t) << (16 * k);
    }
    y[i] = number_of(v);
  }
  fclose(t);
}
#include "judge.h"
