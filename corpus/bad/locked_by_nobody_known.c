// A function of another file whose name begins as those of locks do: nothing is known of it.
// adj-exit: 3
// adj-message: has no body here
#include "adj.h"
#include <stdio.h>

void mtx_scale(double *numbers, int n);

static double f(const double *x) {
  double numbers[2] = {x[0], x[1]};
  mtx_scale(numbers, 2);
  return numbers[0] * numbers[1];
}

int main(void) {
  double x[2] = {2, 3}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g\n", dx[0]);
}
