// The halves of an address change places, and an atomic exchange takes the word out of its variable: in forward mode
// the shadow of the word goes the same way.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>

static uint64_t turned(uint64_t word) { return (word & 0xffffffffu) << 32 | word >> 32; }

static double f(double *to, const double *from) {
  uint64_t slot = turned((uint64_t)to);
  uint64_t word = __atomic_exchange_n(&slot, 0, __ATOMIC_SEQ_CST);
  double *again = (double *)turned(word);
  again[1] = from[0] * from[1];
  return to[1];
}

int main(void) {
  double to[2] = {0.5, 1.5}, dto[2] = {1, 10}, from[2] = {3, 4}, dfrom[2] = {1, 0.5};
  double d = __enzyme_fwddiff((void *)f, enzyme_dup, to, dto, enzyme_dup, from, dfrom);
  printf("%g %g %g\n", d, dto[0], dto[1]);
  return 0;
}
