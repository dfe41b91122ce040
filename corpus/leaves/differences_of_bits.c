// Differences of the bits of neighbours, as integers, and their sums.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t code[8], sum = 0;
  for (int i = 0; i < n; i++)
    code[i] = bits_of(x[i]) - (i ? bits_of(x[i - 1]) : 0);
  for (int i = 0; i < n; i++) {
    sum += code[i];
    y[i] = number_of(sum);
  }
}
#include "judge.h"
