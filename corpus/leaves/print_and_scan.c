// Text written by snprintf and read by sscanf.
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    snprintf(text, sizeof text, "%.17g", x[i]);
    if (sscanf(text, "%lf", y + i) != 1)
      return;
  }
}
#include "judge.h"
