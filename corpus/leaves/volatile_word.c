// The bits in a volatile integer.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  volatile uint64_t word;
  for (int i = 0; i < n; i++) {
    word = bits_of(x[i]);
    y[i] = number_of(word);
  }
}
#include "judge.h"
