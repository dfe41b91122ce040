// Bits of numbers in an array of words, which the optimiser fills with numbers, while each load from it says that it is an
// integer; a function with variable arguments passes them on.
#include "adj.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static __attribute__((noinline)) unsigned long passed(int count, ...) {
  va_list list;
  va_start(list, count);
  unsigned long word = va_arg(list, unsigned long);
  va_end(list);
  return word;
}

static float f(double *a0) {
  double *p3 = a0;
  {
    double plain[2] = {0.5, p3[0]}, again[2], acc = 0;
    unsigned long words[2];
    for (int c = 0; c < 2; c++) { unsigned long word; memcpy(&word, plain + c, sizeof word); words[c] = word; }
    for (int c = 0; c < 2; c++) {
      unsigned long word = words[c];
      word = passed((1 + (1)), word);
      memcpy(again + c, &word, sizeof word);
    }
    for (int c = 0; c < (1 + (1)); c++) acc += 0.1 * again[c & 1] * again[0];
    p3[0] = 0.3 * acc;
  }
  return 0.5;
}

int main(void) {
  double a0[1] = {0.2795};
  double d0[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, a0, d0);
  for (int i = 0; i < 1; i++) printf("%.17g %.17g\n", (double)a0[i], (double)d0[i]);
  return 0;
}
