// Rules whose formulas contain irrational constants, in `float`, on the way between doubles: the constants'
// rounding is no part of the formula.
#define _GNU_SOURCE
#include "adj.h"
#include <math.h>
#include <stdio.h>

static void mixed(double *out, const double *x) {
  out[0] = 0.74f * lgammaf(1.5f + (float)x[0]);
  out[1] = tgammaf(2.0f + (float)x[1]);
  out[2] = exp2f((float)x[2]) * log10f(3.0f + (float)x[2]);
  out[3] = erff((float)x[3]) + exp10f((float)x[3]);
}

int main(void) {
  double x[4] = {0.3266, 0.41, -0.7, 0.55}, dx[4] = {0};
  double out[4] = {0}, dout[4] = {1.0, -0.5, 2.0, 0.25};
  __enzyme_autodiff((void *)mixed, enzyme_dup, out, dout, enzyme_dup, x, dx);
  for (int i = 0; i < 4; i++)
    printf("%.9g %.9g %.9g\n", out[i], dout[i], dx[i]);
  return 0;
}
