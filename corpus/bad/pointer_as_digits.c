// An address as hexadecimal digits, by a table, and the word that they make again, in the variable that held the
// address before: no shadow goes along with the digits.
// adj-exit: 3
// adj-message: no shadow follows it through products, text, files, tables
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x) {
  double cells[2] = {x[0], x[1] * x[1]}, *plain = cells, *again;
  uint64_t word;
  char text[16];
  memcpy(&word, &plain, sizeof word);
  for (int k = 16; k-- > 0; word >>= 4)
    text[k] = "0123456789abcdef"[word & 15];
  word = 0;
  for (int k = 0; k < 16; k++)
    word = word << 4 | (uint64_t)(text[k] >= 'a' ? text[k] - 'a' + 10 : text[k] - '0');
  memcpy(&again, &word, sizeof again);
  return again[0] * plain[1];
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
