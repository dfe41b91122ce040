// A file by its descriptor.
#include <stdio.h>
#include <unistd.h>
static void leave(const double *x, double *y, int n) {
  FILE *t = tmpfile();
  if (!t)
    return;
  if (write(fileno(t), x, sizeof *x * (size_t)n) < 0)
    y[0] = 0;
  rewind(t);
  if (fread(y, sizeof *y, (size_t)n, t) != (size_t)n)
    y[0] = 0;
  fclose(t);
}
#include "judge.h"
