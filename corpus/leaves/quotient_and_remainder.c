// The quotient of the bits by a number, and the remainder.
#include "bits.h"
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    lldiv_t d = lldiv((long long)bits_of(x[i]), 1000003);
    y[i] = number_of((uint64_t)(d.quot * 1000003 + d.rem));
  }
}
#include "judge.h"
