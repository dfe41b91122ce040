// Two halves taken by shifts, kept in different arrays, put together by shifts.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint32_t low[8], high[8];
  for (int i = 0; i < n; i++) {
    low[i] = (uint32_t)bits_of(x[i]);
    high[i] = (uint32_t)(bits_of(x[i]) >> 32);
  }
  for (int i = 0; i < n; i++)
    y[i] = number_of((uint64_t)high[i] << 32 | low[i]);
}
#include "judge.h"
