// A stream of the library that reads from memory.
#define _GNU_SOURCE
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  char text[200] = "";
  int at = 0;
  for (int i = 0; i < n; i++)
    at += sprintf(text + at, "%.17g ", x[i]);
  FILE *t = fmemopen(text, (size_t)at, "r");
  if (!t)
    return;
  for (int i = 0; i < n; i++)
    if (fscanf(t, "%lf", y + i) != 1)
      break;
  fclose(t);
}
#include "judge.h"
