// An address as a variable argument of an integer type, returned as a number into the variable that held it before.
#include "adj.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t second(int n, ...) {
  va_list list;
  va_start(list, n);
  (void)va_arg(list, int);
  uint64_t word = va_arg(list, uint64_t);
  va_end(list);
  return word;
}

static double f(const double *x) {
  double cells[2] = {x[0], x[1] * x[1]}, *plain = cells, *again;
  uint64_t word;
  memcpy(&word, &plain, sizeof word);
  word = second(2, 7, word);
  memcpy(&again, &word, sizeof again);
  return again[0] * plain[1];
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
