// Text in hexadecimal digits, which is exact.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    snprintf(text, sizeof text, "%a", x[i]);
    y[i] = strtod(text, 0);
  }
}
#include "judge.h"
