// A pointer is split in two words of 32 bits, which are stored apart and joined again.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>

struct Pair {
  uint32_t low, high;
};

static void split(struct Pair *pair, const double *p) {
  uintptr_t bits = (uintptr_t)p;
  pair->low = (uint32_t)bits;
  pair->high = (uint32_t)(bits >> 32);
}

static const double *join(const struct Pair *pair) {
  return (const double *)((uintptr_t)pair->high << 32 | pair->low);
}

static double f(const double *x, int n) {
  struct Pair pairs[4];
  for (int i = 0; i < n; i++)
    split(&pairs[n - 1 - i], x + i);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *p = join(&pairs[i]);
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
