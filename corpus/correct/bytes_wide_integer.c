// Two pointers in one integer of 128 bits, which is turned by half and taken apart into bytes.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 Wide;

static void put(unsigned char *to, Wide value) {
  for (int i = 0; i < 16; i++)
    to[i] = (unsigned char)(value >> (8 * i));
}

static Wide get(const unsigned char *from) {
  Wide value = 0;
  for (int i = 15; i >= 0; i--)
    value = value << 8 | from[i];
  return value;
}

static double f(const double *x, const double *y) {
  unsigned char bytes[16];
  Wide both = (Wide)(uintptr_t)x << 64 | (uintptr_t)y;
  put(bytes, both >> 64 | both << 64);
  Wide turned = get(bytes);
  const double *p = (const double *)(uintptr_t)turned, *q = (const double *)(uintptr_t)(turned >> 64);
  return *p * *p * *q;
}

int main(void) {
  double x = 2, y = 3, dx = 0, dy = 0;
  __enzyme_autodiff((void *)f, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
  printf("%g %g\n", dx, dy);
  return 0;
}
