// An iterator over rows yields iterators over their numbers; both are kept in bytes.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int step(unsigned char *it, size_t by, const double **at) {
  size_t left;
  memcpy(at, it, 8);
  memcpy(&left, it + 8, 8);
  if (left == 0)
    return 0;
  const double *next = *at + by;
  left--;
  memcpy(it, &next, 8);
  memcpy(it + 8, &left, 8);
  return 1;
}

static double f(const double *x, size_t n) {
  unsigned char rows[16];
  size_t count = n / 2, two = 2;
  memcpy(rows, &x, 8);
  memcpy(rows + 8, &count, 8);
  double sum = 0.0;
  const double *row, *at;
  while (step(rows, 2, &row)) {
    unsigned char columns[16];
    double product = 1.0;
    memcpy(columns, &row, 8);
    memcpy(columns + 8, &two, 8);
    while (step(columns, 1, &at))
      product *= *at + 1.0;
    sum += product;
  }
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
