// Text written by gcvt.
#define _GNU_SOURCE
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    gcvt(x[i], 15, text);
    y[i] = atof(text);
  }
}
#include "judge.h"
