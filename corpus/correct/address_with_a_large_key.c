// An address with a key added and taken away: as integers these are offsets of any size.
#include "adj.h"
#include <stdio.h>
#include <string.h>

static __attribute__((noinline)) double * shown(unsigned long word, int n) {
  double * again;
  word -= 0xc8c7d193c8c7d193ul;
  memcpy(&again, &word, sizeof again);
  return again;
}
static __attribute__((noinline)) unsigned long hidden(double * plain, int n) {
  unsigned long word;
  memcpy(&word, &plain, sizeof word);
  word += 0xc8c7d193c8c7d193ul;
  return word;
}

static float f(const double *a0) {
  double a3[1] = {0.0777};
  {
    double cells[3] = {0.5, 0.5, 0.5}, *plain = cells + (2 > 2), *again;
    unsigned long word = hidden(plain, 2);
    again = shown(word, 2);
    *again = 0.3 * *again * cells[2] + 0.2 * *plain;
    a3[0] = 0.3 * (cells[0] - 0.4 * cells[1]);
  }
  return 0.5;
}

int main(void) {
  double a0[1] = {1.1881};
  double d0[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, a0, d0);
  for (int i = 0; i < 1; i++) printf("%.17g %.17g\n", (double)a0[i], (double)d0[i]);
  return 0;
}
