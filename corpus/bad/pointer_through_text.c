// Addresses written as text, and read from it, into a pointer that leads to active memory before.
// adj-exit: 3
// adj-message: no derivative follows it through text
#include "adj.h"
#include <stdio.h>

static double f(const double *x) {
  double cells[3] = {x[0], x[1], x[0] * x[1]}, sum = 0.0;
  void *at = cells;
  for (int i = 0; i < 3; i++) {
    char text[40];
    snprintf(text, sizeof text, "%p", (void *)(cells + i));
    sscanf(text, "%p", &at);
    sum += *(double *)at * (i + 1);
  }
  return sum;
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
