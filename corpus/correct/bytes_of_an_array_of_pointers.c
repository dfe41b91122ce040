// An array of pointers is copied as so many bytes.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, size_t n) {
  const double *rows[4], *copies[4];
  for (size_t i = 0; i < n; i++)
    rows[i] = x + (n - 1 - i);
  for (size_t i = 0; i < sizeof *rows * n; i++)
    ((char *)copies)[i] = ((const char *)rows)[i];
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += (double)(i + 1) * *copies[i] * *copies[i];
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
