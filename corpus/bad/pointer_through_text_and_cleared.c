// Memory is cleared by an address that was printed and read again: the adjoints of what lay there have to go.
// adj-exit: 3
// adj-message: put together from what an address was made into
#include "adj.h"
#include <stdio.h>
#include <string.h>

static double f(double *x, int n) {
  double sum = x[0] * x[1];
  char text[40];
  void *again;
  snprintf(text, sizeof text, "%p", (void *)x);
  sscanf(text, "%p", &again);
  memset(again, 0, n * sizeof(double));
  return sum + x[0];
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 1);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
