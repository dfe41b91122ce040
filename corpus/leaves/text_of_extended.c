// Text of an extended number.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[60];
    snprintf(text, sizeof text, "%.21Lg", (long double)x[i]);
    y[i] = (double)strtold(text, 0);
  }
}
#include "judge.h"
