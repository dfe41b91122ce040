// Forward mode through a number taken apart by hand into fraction and exponent, and put together again.
#include "adj.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double split(double x, int *exponent) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  *exponent = (int)((bits >> 52) & 2047) - 1022;
  bits = (bits & ~(INT64_C(2047) << 52)) | (INT64_C(1022) << 52);
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double scaled(double x, int exponent) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits += (int64_t)exponent * (INT64_C(1) << 52);
  memcpy(&x, &bits, sizeof x);
  return x;
}

// A root by Newton's method from the fraction: half of an even exponent is put on at the end.
static double root(double x) {
  int exponent;
  double fraction = split(x, &exponent);
  if (exponent & 1) {
    fraction *= 0.5;
    exponent += 1;
  }
  double y = 0.5 + 0.5 * fraction;
  for (int i = 0; i < 6; i++)
    y = 0.5 * (y + fraction / y);
  return scaled(y, exponent / 2);
}

int main(void) {
  double points[4] = {2.0, 0.3, 1e10, 7.25};
  int wrong = 0;
  for (int i = 0; i < 4; i++) {
    double d = __enzyme_fwddiff((void *)root, enzyme_dup, points[i], 1.0);
    printf("%.12g\n", d);
    wrong += fabs(d - 0.5 / sqrt(points[i])) > 1e-12 * d;
  }
  return wrong;
}
