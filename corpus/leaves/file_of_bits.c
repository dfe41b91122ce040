// The bits, with their bytes swapped, in a file.
#include "bits.h"
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  FILE *t = tmpfile();
  if (!t)
    return;
  for (int i = 0; i < n; i++) {
    uint64_t u = __builtin_bswap64(bits_of(x[i]));
    fwrite(&u, 8, 1, t);
  }
  rewind(t);
  for (int i = 0; i < n; i++) {
    uint64_t u = 0;
    if (fread(&u, 8, 1, t) == 1)
      y[i] = number_of(__builtin_bswap64(u));
  }
  fclose(t);
}
#include "judge.h"
