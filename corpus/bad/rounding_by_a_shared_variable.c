// The constant of a rounding is a variable that other files may change: nobody knows whether the sums round.
// adj-exit: 3
// adj-levels: O0,O1
// adj-message: takes off a constant that may have been added to round
#include "adj.h"
#include <stdio.h>

double magic = 0x1.8p52;

static double nearest(double x) {
  double sum = x + magic;
  return sum - magic;
}

static double f(double *x, int n) {
  double value = 0;
  for (int i = 0; i < n; i++) value += x[i] * nearest(4.0 * x[i]);
  return value;
}

int main(void) {
  double x[3] = {1.3, 2.4, -0.7}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
