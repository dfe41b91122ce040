// Bits of numbers in an array of words, which the optimiser fills with numbers, while each load from it says that it is an
// integer; the bytes of each word are reversed.
// adj-exit: 3
// adj-message: bits of an active float
// adj-levels: O0,O1
#include "adj.h"
#include <stdio.h>
#include <string.h>

static double f(double x2) {
  double x0 = (-1.2656);
  double x1 = 0.9585;
  x1 = x2;
  {
    double plain[2] = {x1, 0.5}, again[2], acc = 0;
    unsigned long words[2];
    for (int c = 0; c < 2; c++) { unsigned long word; memcpy(&word, plain + c, sizeof word); words[c] = word; }
    for (int c = 0; c < 2; c++) {
      unsigned long word = words[c];
      unsigned char raw[8];
      for (int k = 0; k < 8; k++) raw[8 - 1 - k] = ((unsigned char *)&word)[k];
      word = 0;
      for (int k = 0; k < 8; k++) ((unsigned char *)&word)[k] = raw[8 - 1 - k];
      memcpy(again + c, &word, sizeof word);
    }
    for (int c = 0; c < (1 + (0)); c++) acc += 0.1 * again[c & 1] * again[0];
    x0 = 0.3 * acc;
  }
  return x0;
}

int main(void) {
  double r = __enzyme_autodiff((void *)f, enzyme_out, 1.2852);
  printf("%.17g\n", (double)r);
  return 0;
}
