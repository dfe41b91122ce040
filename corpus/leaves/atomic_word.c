// The bits in an atomic integer.
#include "bits.h"
#include <stdatomic.h>
static void leave(const double *x, double *y, int n) {
  _Atomic uint64_t word = 0;
  for (int i = 0; i < n; i++) {
    atomic_store(&word, bits_of(x[i]));
    y[i] = number_of(atomic_load(&word));
  }
}
#include "judge.h"
