// A pointer is kept in a union with a word and with bytes; it goes in by one member and comes out by another.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>

union Slot {
  const double *pointer;
  uint64_t word;
  unsigned char bytes[8];
};

static double f(const double *x) {
  union Slot a, b, c;
  a.pointer = x + 1;
  for (int i = 0; i < 8; i++)
    b.bytes[7 - i] = a.bytes[i];
  c.word = 0;
  for (int i = 0; i < 8; i++)
    c.word = c.word << 8 | b.bytes[i];
  return *c.pointer * *c.pointer * x[0];
}

int main(void) {
  double x[2] = {2, 3}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  printf("%g %g\n", d[0], d[1]);
  return 0;
}
