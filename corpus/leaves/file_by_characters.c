// Bytes in a file, one by one, by fputc and fgetc.
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  FILE *t = tmpfile();
  if (!t)
    return;
  for (int k = 0; k < 8 * n; k++)
    fputc(((const unsigned char *)x)[k], t);
  rewind(t);
  for (int k = 0; k < 8 * n; k++)
    ((unsigned char *)y)[k] = (unsigned char)fgetc(t);
  fclose(t);
}
#include "judge.h"
