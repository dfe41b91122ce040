// Text of all numbers in one buffer, converted by atof.
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  char text[8][40];
  for (int i = 0; i < n; i++)
    sprintf(text[i], "%25.17e", x[i]);
  for (int i = 0; i < n; i++)
    y[i] = atof(text[i]);
}
#include "judge.h"
