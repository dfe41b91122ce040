// A block of the caller is cleared byte by byte, and another one filled with the bytes of a constant, and nothing else
// tells what they hold: if these are numbers, their adjoints are gone.
#include "adj.h"
#include <stdio.h>

static const double one = 1;

static void clear(void *block, int size) {
  volatile char *p = block;
  for (int i = 0; i < size; i++)
    p[i] = 0;
}

static double f(void *a, void *b, double x) {
  clear(a, 16);
  const char *from = (const char *)&one;
  char *to = b;
  for (int i = 0; i < 8; i++)
    to[i] = from[i];
  return x * x;
}

int main(void) {
  double a[2] = {1.5, 2.5}, b[1] = {-2}, da[2] = {3, 4}, db[1] = {5};
  double dx = __enzyme_autodiff((void *)f, enzyme_dup, a, da, enzyme_dup, b, db, 0.5);
  printf("%g %g %g %g\n", dx, da[0], da[1], db[0]);
  return 0;
}
