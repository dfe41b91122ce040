// Text of a number of single precision.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    float v = (float)x[i];
    snprintf(text, sizeof text, "%.9g", v);
    y[i] = strtof(text, 0);
  }
}
#include "judge.h"
