// An address of active memory or of constant memory, put together again bit by bit: constant memory is its own shadow,
// and so is a word that is made of numbers.
// adj-exit: 3
// adj-levels: O0
// adj-message: cannot tell which it is
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, const double *c, int which) {
  double cells[2] = {x[0], x[1] * x[1]};
  const double *plain = which ? cells : c, *again;
  uint64_t word, before;
  memcpy(&word, &plain, sizeof word);
  before = word;
  word = 0;
  for (int k = 0; k < 64; k++)
    if (before >> k & 1) word |= (uint64_t)1 << k;
  memcpy(&again, &word, sizeof again);
  return again[0] * cells[1];
}

int main(int argc, char **argv) {
  (void)argv;
  double x[2] = {0.5, -1.5}, dx[2] = {0}, c[2] = {3, 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, c, enzyme_const, argc);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
