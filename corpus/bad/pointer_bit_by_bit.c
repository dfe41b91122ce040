// Each bit of an address decides whether a bit is set in the variable that held the address before: what it holds in the
// end was put together from numbers, which a run tells.
// adj-exit: 3
// adj-message: put together from numbers
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x) {
  double cells[2] = {x[0], x[1] * x[1]}, *plain = cells, *again;
  uint64_t word;
  memcpy(&word, &plain, sizeof word);
  uint64_t before = word;
  word = 0;
  for (int k = 0; k < 64; k++)
    if (before >> k & 1) word |= (uint64_t)1 << k;
  memcpy(&again, &word, sizeof again);
  return again[0] * plain[1];
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
