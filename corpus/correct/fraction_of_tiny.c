// The fraction of a number taken out of its bits, where the number is subnormal: the slope is that of the numbers below the
// normal ones, and what is not chosen stays out of it.
#include "adj.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float fraction(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits & 0x807fffff) | 0x3f000000;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double weighted(const float *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += (i + 1) * (x[i] > 1e30f ? x[i] * 0x1p-107 : fraction(x[i]));
  return sum;
}

int main(void) {
  float x[4] = {0x1.8p-130f, 12.5f, -0.75f, 1e31f}, dx[4] = {0};
  float expected[4] = {0x1p125f, 2.0f / 16.0f, 3.0f * 1.0f, 4.0f * 0x1p-107f};
  __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx, enzyme_const, 4);
  int wrong = 0;
  for (int i = 0; i < 4; i++) {
    printf("%g\n", dx[i]);
    wrong += dx[i] != expected[i];
  }
  return wrong;
}
