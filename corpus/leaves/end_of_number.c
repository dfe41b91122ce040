// A list read by strtod, which says where each number ends.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  char text[200], *at = text;
  for (int i = 0; i < n; i++)
    at += sprintf(at, "%.17g ", x[i]);
  at = text;
  for (int i = 0; i < n; i++)
    y[i] = strtod(at, &at);
}
#include "judge.h"
