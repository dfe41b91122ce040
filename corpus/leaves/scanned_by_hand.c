// Text written by snprintf and read by a scanner of ours.
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    snprintf(text, sizeof text, "%.6f", x[i]);
    const char *p = text;
    double sign = 1, scale = 1, v = 0;
    if (*p == '-')
      sign = -1, p++;
    for (; *p >= '0' && *p <= '9'; p++)
      v = 10 * v + (*p - '0');
    if (*p == '.')
      for (p++; *p >= '0' && *p <= '9'; p++)
        v = 10 * v + (*p - '0'), scale *= 10;
    y[i] = sign * v / scale;
  }
}
#include "judge.h"
