// Text in the environment of the process.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    snprintf(text, sizeof text, "%.17g", x[i]);
    setenv("LEAVES_NUMBER", text, 1);
    const char *found = getenv("LEAVES_NUMBER");
    y[i] = found ? atof(found) : 0;
  }
}
#include "judge.h"
