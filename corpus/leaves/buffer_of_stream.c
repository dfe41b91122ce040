// The buffer that a stream is given: what is printed stands in it.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  static char buffer[4096];
  FILE *t = tmpfile();
  if (!t)
    return;
  setvbuf(t, buffer, _IOFBF, sizeof buffer);
  for (int i = 0; i < n; i++)
    fprintf(t, "%.17g ", x[i]);
  char *at = buffer;
  for (int i = 0; i < n; i++)
    y[i] = strtod(at, &at);
  fclose(t);
}
#include "judge.h"
