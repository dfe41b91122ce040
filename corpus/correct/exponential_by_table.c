// An exponential as C libraries write it: a table of powers of two, whose entry and exponent are read off the bits of a shifted number,
// and put together by integer arithmetic.
#include "adj.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ENTRIES 32

static uint64_t as_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double as_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// Bits of 2^(i/32), less what i adds to the exponent when it is shifted there.
static uint64_t table[ENTRIES];

static double exponential(double x) {
  const double shift = 0x1.8p52;
  double z = x * (ENTRIES / M_LN2);
  double k = z + shift;
  uint64_t ki = as_bits(k);
  k -= shift;
  double r = (z - k) * (M_LN2 / ENTRIES);
  double scale = as_double(table[ki % ENTRIES] + (ki << (52 - 5)));
  return scale * (1.0 + r * (1.0 + r * (1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120))))));
}

static double softmax(const double *x, int n) {
  double sum = 0.0, weighted = 0.0;
  for (int i = 0; i < n; i++) {
    double e = exponential(x[i]);
    sum += e;
    weighted += i * e;
  }
  return weighted / sum;
}

int main(void) {
  for (uint64_t i = 0; i < ENTRIES; i++)
    table[i] = as_bits(exp2((double)i / ENTRIES)) - (i << (52 - 5));
  double x[4] = {0.3, -1.7, 2.9, 1.1}, dx[4] = {0}, sum = 0.0, mean = 0.0;
  __enzyme_autodiff((void *)softmax, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 4; i++) {
    sum += exp(x[i]);
    mean += i * exp(x[i]);
  }
  int wrong = 0;
  for (int i = 0; i < 4; i++) {
    double expected = exp(x[i]) / sum * (i - mean / sum);
    printf("%.8f\n", dx[i]);
    wrong += fabs(dx[i] - expected) > 1e-10;
  }
  return wrong;
}
