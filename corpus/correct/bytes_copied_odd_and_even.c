// The odd bytes of a pointer are copied first, then the even ones.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, size_t n) {
  const double *p;
  const unsigned char *from = (const unsigned char *)&x;
  unsigned char *to = (unsigned char *)&p;
  for (int i = 1; i < 8; i += 2)
    to[i] = from[i];
  for (int i = 0; i < 8; i += 2)
    to[i] = from[i];
  double sum = 0.0;
  for (size_t i = 0; i + 1 < n; i++)
    sum += p[i] * p[i + 1];
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
