// Rounding by two sums with a constant that is a variable of the file, which nobody changes; and a sum that is carried around
// a loop and starts as the constant; and with the constant's opposite. Slope zero.
#include "adj.h"
#include <stdio.h>

static double magic = 0x1.8p52;
static const float single = 12582912.0f;

static double nearest(double x) {
  double sum = x + magic;
  return sum - magic;
}

static double downwards(double x) {
  double constant = 0x1.8p52, sum = x - (-constant);
  return sum + (-constant);
}

static double last(const double *x, int n) {
  double sum = 0x1.8p52;
  for (int i = 0; i < n; i++) sum = (x[i] + i) + 0x1.8p52;
  return sum - 0x1.8p52;
}

static double f(double *x, int n) {
  double value = 0.3 * x[0] * last(x, n);
  for (int i = 0; i < n; i++) {
    float sum = (float)x[i] + single;
    value += x[i] * nearest(4.0 * x[i]) + x[i] * (sum - single) + downwards(x[i]) * x[0];
  }
  return value;
}

int main(void) {
  double x[3] = {1.3, 2.4, -0.7}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
