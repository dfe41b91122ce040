// A number goes through text.
// adj-exit: 3
// adj-message: by `snprintf`
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double f(const double *x) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", x[0] * x[1]);
  double y = strtod(text, 0);
  return y * y;
}

int main(void) {
  double x[2] = {0.5, -1.25}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
}
