// The bytes of a pointer are copied from the last to the first.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, size_t n) {
  unsigned char bytes[8];
  const double *p;
  for (int i = 7; i >= 0; i--)
    bytes[i] = ((const unsigned char *)&x)[i];
  for (int i = 7; i >= 0; i--)
    ((unsigned char *)&p)[i] = bytes[i];
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += p[i] * p[i];
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
