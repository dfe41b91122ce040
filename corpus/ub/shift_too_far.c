// A shift by the whole width of the type is poison; the mask made with it decides a branch.
// adj-levels: O0
#include <stdio.h>

static unsigned low_bits(unsigned value, unsigned count) {
  unsigned mask = (1u << count) - 1u;
  if (value & mask) //~ ub: poison
    return value & mask;
  return 0;
}

int main(void) {
  printf("%u\n", low_bits(0xffu, 4));
  printf("%u\n", low_bits(0xffu, 32));
  return 0;
}
