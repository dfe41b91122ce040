// An exponential as vector libraries write it: the multiple of log 2 is rounded by adding and taking off a constant that leaves no fraction.
// As real numbers the two sums cancel, and with them the derivative of the exponential.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double exponential(double x) {
  double n = (x * 0x1.71547652b82fep+0 + 0x1.8p52) - 0x1.8p52;
  double r = x - n * 0x1.62e42fefa39efp-1, term = 1.0, sum = 1.0;
  for (int k = 1; k < 14; k++) {
    term *= r / k;
    sum += term;
  }
  return ldexp(sum, (int)n);
}

// The shifted number keeps the integer in its low bits, in steps of 1/32.
static float power_of_two(float x) {
  static float table[32];
  for (int i = 0; i < 32; i++)
    table[i] = exp2f(i / 32.0f);
  float shifted = x + 0x1.8p18f;
  int bits;
  memcpy(&bits, &shifted, sizeof bits);
  int steps = (bits & 0x7fffff) - 0x400000;
  float rest = x - (shifted - 0x1.8p18f);
  float part = table[steps & 31] * (1.0f + rest * (0.69314718f + rest * (0.24022651f + 0.05550411f * rest)));
  return ldexpf(part, steps >> 5);
}

static double combined(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += exponential(x[i]) + 0.5 * power_of_two((float)x[i]);
  return sum;
}

int main(void) {
  double x[4] = {0.3, -1.7, 2.9, 0.01}, dx[4] = {0};
  __enzyme_autodiff((void *)combined, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 4; i++) {
    double expected = exp(x[i]) + 0.5 * 0.69314718056 * exp2(x[i]);
    printf("%.6f\n", dx[i]);
    if (fabs(dx[i] - expected) > 1e-5 * expected)
      return 1;
  }
  return 0;
}
