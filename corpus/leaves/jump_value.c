// Quarters of the bits as values of longjmp.
#include "bits.h"
#include <setjmp.h>
static jmp_buf back;
static void leave(const double *x, double *y, int n) {
  for (volatile int i = 0; i < n; i++) {
    volatile uint64_t v = 0;
    for (volatile int k = 0; k < 4; k++) {
      int quarter = setjmp(back);
      if (!quarter)
        longjmp(back, (int)(bits_of(x[i]) >> (16 * k) & 65535) + 1);
      v |= (uint64_t)(quarter - 1) << (16 * k);
    }
    y[i] = number_of(v);
  }
}
#include "judge.h"
