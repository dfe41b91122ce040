// Numbers printed to one stream, the same numbers as bytes read from another one.
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  FILE *bytes = tmpfile();
  if (!bytes)
    return;
  for (int i = 0; i < n; i++) {
    rewind(bytes);
    fwrite(x + i, sizeof *x, 1, bytes);
    fflush(bytes);
    rewind(bytes);
    double v = 0;
    if (fread(&v, sizeof v, 1, bytes) == 1)
      y[i] = v;
    fprintf(stderr, "%.3g\n", v);
  }
  fclose(bytes);
}
#include "judge.h"
