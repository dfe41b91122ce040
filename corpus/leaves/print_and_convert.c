// Text written by sprintf and converted by strtod.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    sprintf(text, "%.17g", x[i]);
    y[i] = strtod(text, 0);
  }
}
#include "judge.h"
