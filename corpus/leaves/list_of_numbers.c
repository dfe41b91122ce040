// A list with commas, taken apart by strtok.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void leave(const double *x, double *y, int n) {
  char text[200] = "";
  for (int i = 0; i < n; i++)
    sprintf(text + strlen(text), "%.17g,", x[i]);
  int i = 0;
  for (char *p = strtok(text, ","); p && i < n; p = strtok(0, ","))
    y[i++] = strtod(p, 0);
}
#include "judge.h"
