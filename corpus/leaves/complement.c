// The complement of all bits, twice.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t other[8];
  for (int i = 0; i < n; i++)
    other[i] = ~bits_of(x[i]);
  for (int i = 0; i < n; i++)
    y[i] = number_of(~other[i]);
}
#include "judge.h"
