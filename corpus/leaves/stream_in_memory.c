// A stream of the library that writes into memory.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  char *text = 0;
  size_t size = 0;
  FILE *t = open_memstream(&text, &size);
  if (!t)
    return;
  for (int i = 0; i < n; i++)
    fprintf(t, "%.17g ", x[i]);
  fclose(t);
  char *at = text;
  for (int i = 0; i < n; i++)
    y[i] = strtod(at, &at);
  free(text);
}
#include "judge.h"
