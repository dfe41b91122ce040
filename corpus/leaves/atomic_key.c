// The bits combined with a key by atomic operations.
#include "bits.h"
#include <stdatomic.h>
static void leave(const double *x, double *y, int n) {
  _Atomic uint64_t word = 0;
  for (int i = 0; i < n; i++) {
    atomic_store(&word, 0x123456789abcdefu);
    atomic_fetch_xor(&word, bits_of(x[i]));
    y[i] = number_of(atomic_exchange(&word, 0) ^ 0x123456789abcdefu);
  }
}
#include "judge.h"
