// A pointer is copied byte by byte: in a loop, and without one.
#include "adj.h"
#include <stdio.h>

static const double *get(char *bytes) {
  return *(const double **)bytes;
}

static double f(const double *x, const double *y) {
  char b[8];
  const double *p;
  const char *from = (const char *)&x;
  char *to = (char *)&p;
  for (int i = 0; i < 8; i++)
    b[i] = from[i];
  for (int i = 0; i < 8; i++)
    to[i] = b[i];
  _Alignas(8) char a[8], c[8];
  *(const double **)a = y;
  c[0] = a[0], c[1] = a[1], c[2] = a[2], c[3] = a[3];
  c[4] = a[4], c[5] = a[5], c[6] = a[6], c[7] = a[7];
  const double *q = get(c);
  return *p * *p * *q;
}

int main(void) {
  double x = 3, y = 2, dx = 0, dy = 0;
  __enzyme_autodiff((void *)f, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
  printf("%g %g\n", dx, dy);
  return 0;
}
