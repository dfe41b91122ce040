// Text whose characters are changed one by one and changed back.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    int length = snprintf(text, sizeof text, "%.17g", x[i]);
    for (int k = 0; k < length; k++)
      text[k] = (char)(text[k] + 1);
    for (int k = 0; k < length; k++)
      text[k] = (char)(text[k] - 1);
    y[i] = strtod(text, 0);
  }
}
#include "judge.h"
