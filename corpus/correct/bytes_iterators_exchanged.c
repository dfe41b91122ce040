// Two iterators in bytes take turns: they are exchanged after each number.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, size_t n) {
  unsigned char first[8], second[8], spare[8];
  const double *half = x + n / 2;
  memcpy(first, &x, 8);
  memcpy(second, &half, 8);
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double *p;
    memcpy(&p, first, 8);
    sum = 0.5 * sum + *p * *p;
    p++;
    memcpy(first, &p, 8);
    memcpy(spare, first, 8);
    memcpy(first, second, 8);
    memcpy(second, spare, 8);
  }
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
