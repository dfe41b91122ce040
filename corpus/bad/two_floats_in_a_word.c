// adj-levels: O2,O3
// adj-exit: 3
// adj-message: put together from the bits of an active float
// Two floats packed into one 64-bit word by shifts and masks, kept in an array of words, and taken apart again.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static float float_of(uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

static __attribute__((noinline)) uint64_t pack(float low, float high) {
  return (uint64_t)bits_of(high) << 32 | bits_of(low);
}

static float low(uint64_t word) { return float_of((uint32_t)(word & 0xffffffffu)); }
static float high(uint64_t word) { return float_of((uint32_t)(word >> 32)); }

static uint64_t swap(uint64_t word) { return word >> 32 | word << 32; }

static double dot(const float *x, int n) {
  uint64_t words[8];
  for (int i = 0; i < n; i++)
    words[i] = pack(x[i] * x[i], x[n - 1 - i]);
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    uint64_t other = swap(words[(i + 1) % n]);
    sum += (double)low(words[i]) * low(other) + (double)high(words[i]) * high(other) * (i + 1);
  }
  return sum;
}

int main(void) {
  float x[5] = {0.5f, -1.25f, 2.0f, 0.75f, -0.375f}, d[5] = {0};
  __enzyme_autodiff((void *)dot, enzyme_dup, x, d, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.9g\n", d[i]);
  return 0;
}
