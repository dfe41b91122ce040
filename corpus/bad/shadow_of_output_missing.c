// The array that the function writes has no shadow, in which the adjoints of the results would be.
// adj-exit: 3
// adj-message: the shadow of argument 2 of `squares` is missing
#include "adj.h"
#include <stdio.h>

static void squares(const double *x, double *y) {
  for (int i = 0; i < 3; i++)
    y[i] = x[i] * x[i];
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0};
  double y[3];
  __enzyme_autodiff((void *)squares, enzyme_dup, x, dx, enzyme_dup, y);
  printf("%g\n", dx[0]);
  return 0;
}
