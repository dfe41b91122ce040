// A pointer lies at an odd offset of a message, byte by byte.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, size_t n) {
  unsigned char message[24] = {'p'};
  const double *p;
  for (int i = 0; i < 8; i++)
    message[3 + i] = ((const unsigned char *)&x)[i];
  message[11] = (unsigned char)n;
  for (int i = 0; i < 8; i++)
    ((unsigned char *)&p)[i] = message[3 + i];
  double sum = 0.0;
  for (int i = 0; i < message[11]; i++)
    sum += p[i] * p[i] * p[i];
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
