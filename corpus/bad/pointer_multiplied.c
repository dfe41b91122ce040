// The bits of a pointer times an odd number, and times its inverse: the pointer again, but nobody follows its shadow.
// adj-exit: 3
// adj-levels: O0
// adj-message: put together from numbers
#include "adj.h"
#include <string.h>

static double f(double *x) {
  double cells[2] = {x[0], 0.5}, *plain = cells, *again;
  unsigned long word;
  memcpy(&word, &plain, sizeof word);
  word *= 0x9e3779b97f4a7c15ul;
  word *= 0xf1de83e19937733dul;
  memcpy(&again, &word, sizeof again);
  *again = 0.3 * *again * cells[1] + 0.2 * *plain;
  return cells[0];
}

int main(void) {
  double x[1] = {0.8274}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
}
