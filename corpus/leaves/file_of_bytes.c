// Bytes written by fwrite and read by fread.
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  FILE *t = tmpfile();
  if (!t)
    return;
  fwrite(x, sizeof *x, (size_t)n, t);
  rewind(t);
  if (fread(y, sizeof *y, (size_t)n, t) != (size_t)n)
    y[0] = 0;
  fclose(t);
}
#include "judge.h"
