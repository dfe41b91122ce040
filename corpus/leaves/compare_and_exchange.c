// A number is added to another by the exchange of bits that are compared.
#include "bits.h"
#include <stdatomic.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    _Atomic uint64_t word = bits_of(0.0);
    uint64_t seen = atomic_load(&word);
    while (!atomic_compare_exchange_weak(&word, &seen, bits_of(number_of(seen) + x[i])))
      ;
    y[i] = number_of(atomic_load(&word));
  }
}
#include "judge.h"
