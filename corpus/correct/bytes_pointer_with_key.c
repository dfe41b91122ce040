// Pointers are kept as words, each combined with a key and turned, and as bytes in the other order.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>

static uint64_t hide(const double *p, uint64_t key) {
  uint64_t word = (uintptr_t)p ^ key;
  word = word << 13 | word >> 51;
  return __builtin_bswap64(word);
}

static const double *show(uint64_t word, uint64_t key) {
  word = __builtin_bswap64(word);
  word = word >> 13 | word << 51;
  return (const double *)(uintptr_t)(word ^ key);
}

static double f(const double *x, int n) {
  uint64_t hidden[4];
  for (int i = 0; i < n; i++)
    hidden[i] = hide(x + i, 0x9e3779b97f4a7c15u * (unsigned)(i + 1));
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *p = show(hidden[i], 0x9e3779b97f4a7c15u * (unsigned)(i + 1));
    sum += (i + 1) * *p * *p;
  }
  return sum;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
  return 0;
}
