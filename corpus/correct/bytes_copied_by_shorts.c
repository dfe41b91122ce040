// A pointer is copied in four pieces of two bytes.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <stdint.h>
static double f(const double *x, size_t n) {
  uint16_t pieces[4];
  const double *p;
  for (int i = 0; i < 4; i++)
    memcpy(pieces + i, (const char *)&x + 2 * i, 2);
  for (int i = 0; i < 4; i++)
    memcpy((char *)&p + 2 * i, pieces + i, 2);
  double product = 1.0;
  for (size_t i = 0; i < n; i++)
    product *= p[i];
  return product;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
