// A block holds `float`s from its beginning and `double`s from its end downwards: how many of each only the loops know,
// so that a copy of the block moves what nobody knows.
//
// adj-exit: 3
// adj-levels: O0
// adj-message: two accesses disagree on what it is
#include "adj.h"
#include <string.h>

static double f(const double *x, int n) {
  _Alignas(8) char block[40];
  _Alignas(8) char other[40];
  for (int i = 0; i < n - 2; i++)
    ((float *)block)[i] = (float)x[i];
  for (int i = 1; i <= n - 3; i++)
    ((double *)(block + 40))[-i] = x[i] * x[0];
  memcpy(other, block, 40);
  double sum = 0;
  for (int i = 1; i <= n - 3; i++)
    sum += ((double *)(other + 40))[-i] * i + ((double *)(block + 40))[-i] / 3;
  return sum + ((float *)other)[0];
}

int main(void) {
  double x[5] = {0.5, -1.25, 3.0, 1.0, 2.0}, dx[5] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 5);
  return 0;
}
