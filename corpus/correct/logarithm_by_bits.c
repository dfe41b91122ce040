// Logarithms as libraries write them: the exponent is taken out of the bits of a number, and the fraction gets another one.
#include "adj.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int64_t as_bits(double x) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double as_double(int64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// log((1 + s) / (1 - s)) = 2 (s + s^3/3 + ...)
static double series(double m) {
  double s = (m - 1.0) / (m + 1.0), square = s * s, term = s, sum = 0.0;
  for (int k = 1; k < 40; k += 2) {
    sum += term / k;
    term *= square;
  }
  return 2.0 * sum;
}

// The fraction is put behind the exponent of 1.
static double logarithm(double x) {
  int64_t bits = as_bits(x);
  int exponent = (int)((bits >> 52 & 0x7ff) - 1023);
  double m = as_double((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  return series(m) + exponent * 0.693147180559945309417;
}

// The exponent comes off by a subtraction, so that the rest lies between 0.7 and 1.4.
static double centred_logarithm(double x) {
  int64_t bits = as_bits(x), from = bits - 0x3fe6000000000000;
  int exponent = (int)(from >> 52);
  double m = as_double(bits - (from & (int64_t)0xfff0000000000000));
  return series(m) + exponent * 0.693147180559945309417;
}

// The same for numbers of single precision, and a power of two put on by a sum.
static float doubled(float x, int times) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits += (uint32_t)times << 23;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double entropy(const double *p, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum -= p[i] * logarithm(p[i]) + 0.5 * centred_logarithm(p[i]) - doubled((float)p[i], i - 2);
  return sum;
}

int main(void) {
  double p[5] = {0.3, 1.7, 260.0, 1e-5, 0.999}, dp[5] = {0};
  __enzyme_autodiff((void *)entropy, enzyme_dup, p, dp, enzyme_const, 5);
  int wrong = 0;
  for (int i = 0; i < 5; i++) {
    double expected = -log(p[i]) - 1.0 - 0.5 / p[i] + ldexp(1.0, i - 2);
    printf("%.10f\n", dp[i]);
    wrong += fabs(dp[i] - expected) > 1e-9 * fabs(expected);
  }
  return wrong;
}
