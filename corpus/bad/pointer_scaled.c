// An address times an odd number, and times its inverse modulo 2^64, in the word that holds the address.
// adj-exit: 3
// adj-message: put together from numbers
// adj-levels: O0
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x) {
  double cells[2] = {x[0], x[1] * x[1]}, *plain = cells, *again;
  uint64_t word;
  memcpy(&word, &plain, sizeof word);
  word = word * 0x9e3779b97f4a7c15u;
  word = word * 0xf1de83e19937733du;
  memcpy(&again, &word, sizeof again);
  return again[0] * plain[1];
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
