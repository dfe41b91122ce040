// Text that asprintf allocates.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char *text = 0;
    if (asprintf(&text, "%.17g", x[i]) < 0)
      return;
    y[i] = atof(text);
    free(text);
  }
}
#include "judge.h"
