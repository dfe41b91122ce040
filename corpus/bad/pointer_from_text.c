// An address that is nothing but text before it is read.
// adj-exit: 3
// adj-message: no derivative follows it through text
#include "adj.h"
#include <stdio.h>

static double f(const double *x) {
  double cells[2] = {x[0], x[1] * x[1]};
  void *at = NULL;
  char text[40];
  snprintf(text, sizeof text, "%p", (void *)cells);
  sscanf(text, "%p", &at);
  double *found = at;
  return found[0] * found[1];
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
