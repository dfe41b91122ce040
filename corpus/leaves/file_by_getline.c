// Lines of a file, by getline.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  FILE *t = tmpfile();
  if (!t)
    return;
  for (int i = 0; i < n; i++)
    fprintf(t, "%a\n", x[i]);
  rewind(t);
  char *line = 0;
  size_t size = 0;
  for (int i = 0; i < n; i++)
    if (getline(&line, &size, t) > 0)
      y[i] = strtod(line, 0);
  free(line);
  fclose(t);
}
#include "judge.h"
