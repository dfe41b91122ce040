// Samples of single precision that are only read as words: swapped under a key, on the heap.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void encode(uint32_t *to, const float *x, int n) {
  for (int i = 0; i < n; i++) {
    uint32_t u;
    memcpy(&u, x + i, sizeof u);
    to[i] = __builtin_bswap32(u) ^ 77;
  }
}

static float decode(const uint32_t *from, int i) {
  uint32_t u = __builtin_bswap32(from[i] ^ 77);
  float y;
  memcpy(&y, &u, sizeof y);
  return y;
}

static float energy(const float *x, int n) {
  uint32_t *words = malloc(n * sizeof *words);
  encode(words, x, n);
  float sum = 0.0f;
  for (int i = 0; i < n; i++) {
    float y = decode(words, n - 1 - i);
    sum += y * y * (i + 1);
  }
  free(words);
  return sum;
}

int main(void) {
  float x[5] = {0.5f, -1.5f, 2.0f, 0.25f, -0.75f}, dx[5] = {0};
  __enzyme_autodiff((void *)energy, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%g\n", dx[i]);
  return dx[0] != 5.0f;
}
