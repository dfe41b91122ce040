// A constant is taken off a number that may hold it from a sum before, and may not: slope zero or one.
// adj-exit: 3
// adj-message: takes off a constant that may have been added to round
#include "adj.h"
#include <stdio.h>

static double f(double *x, double *work, int n) {
  for (int i = 0; i < n; i++) work[i] = i % 2 ? x[i] + 0x1.8p52 : x[i];
  double value = 0;
  for (int i = 0; i < n; i++) value += x[i] * (work[i] - 0x1.8p52);
  return value;
}

int main(void) {
  double x[4] = {1.3, 2.4, -0.7, 3.9}, dx[4] = {0}, work[4] = {0}, dwork[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, work, dwork, enzyme_const, 4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
