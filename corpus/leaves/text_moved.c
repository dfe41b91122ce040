// Text moved by memcpy, and by a loop over its characters.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40], second[40], third[40];
    snprintf(text, sizeof text, "%.17g", x[i]);
    memcpy(second, text, sizeof text);
    int k = 0;
    do
      third[k] = second[k];
    while (third[k++]);
    y[i] = strtod(third, 0);
  }
}
#include "judge.h"
