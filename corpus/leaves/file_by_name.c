// A file with a name, closed and opened again.
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  FILE *t = fopen("leaves_file_by_name.tmp", "wb");
  if (!t)
    return;
  fwrite(x, sizeof *x, (size_t)n, t);
  fclose(t);
  t = fopen("leaves_file_by_name.tmp", "rb");
  if (!t)
    return;
  if (fread(y, sizeof *y, (size_t)n, t) != (size_t)n)
    y[0] = 0;
  fclose(t);
  remove("leaves_file_by_name.tmp");
}
#include "judge.h"
