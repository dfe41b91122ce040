// Absolute value, negation, copied signs and a product by a sign, all by masks on the bits of doubles and floats; and an exponent that
// is read from the bits to steer a loop, which has no derivative.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIGN 0x8000000000000000u

static uint64_t bits_of(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static double double_of(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

static double magnitude(double x) { return double_of(bits_of(x) & ~SIGN); }
static double opposite(double x) { return double_of(bits_of(x) ^ SIGN); }
static double below_zero(double x) { return double_of(bits_of(x) | SIGN); }
static double with_sign(double x, double y) { return double_of((bits_of(x) & ~SIGN) | (bits_of(y) & SIGN)); }
static double times_sign(double x, double y) { return double_of(bits_of(x) ^ (bits_of(y) & SIGN)); }
static int exponent(double x) { return (int)(bits_of(x) >> 52 & 0x7ff) - 1023; }

static float magnitudef(float x) {
  union {
    float f;
    uint32_t u;
  } v = {x};
  v.u &= 0x7fffffffu;
  return v.f;
}

static double mixture(const double *x) {
  double sum = magnitude(x[0] * x[1]) + opposite(x[1]) * x[2] + with_sign(x[2] * x[2], x[0] * x[1]) * x[0];
  sum += times_sign(x[0] * x[3], x[1]) * x[2] + (double)magnitudef((float)x[3]) * x[0] + below_zero(x[3] * x[2]);
  for (int k = 0; k < exponent(x[4]); k++)
    sum += x[4] * x[k] * (double)exponent(x[4]);
  return sum;
}

int main(void) {
  double x[5] = {0.8, -1.3, 0.6, -0.45, 9.5}, d[5] = {0};
  __enzyme_autodiff((void *)mixture, enzyme_dup, x, d);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", d[i]);
  return 0;
}
