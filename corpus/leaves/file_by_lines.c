// Lines in a file, by fputs and fgets.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  char line[60];
  FILE *t = tmpfile();
  if (!t)
    return;
  for (int i = 0; i < n; i++) {
    sprintf(line, "%.17g\n", x[i]);
    fputs(line, t);
  }
  rewind(t);
  for (int i = 0; i < n; i++)
    if (fgets(line, sizeof line, t))
      y[i] = atof(line);
  fclose(t);
}
#include "judge.h"
