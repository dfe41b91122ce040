// Rounding by two sums whose first is kept in a volatile variable, the usual way to keep a compiler from joining them; in
// double and single precision. A piecewise constant function has slope zero.
#include "adj.h"
#include <stdio.h>

static double to_integer(double x) {
  volatile double sum = x + 0x1.8p52;
  return sum - 0x1.8p52;
}

static float to_integer_single(float x) {
  volatile float sum = x + 0x1.8p23f;
  return sum - 0x1.8p23f;
}

static double reduced(double angle) {
  double turns = to_integer(angle / 6.283185307179586);
  return angle - 6.283185307179586 * turns;
}

static double f(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += reduced(x[i]) * x[i] + x[0] * to_integer_single((float)x[i]);
  return sum;
}

int main(void) {
  double x[4] = {1.3, 12.4, -30.7, 3.9}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
