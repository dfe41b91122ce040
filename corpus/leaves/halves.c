// Two halves in a union, and put together from them.
#include <stdint.h>
union word {
  double number;
  struct {
    uint32_t low, high;
  } half;
};
static void leave(const double *x, double *y, int n) {
  uint32_t low[8], high[8];
  for (int i = 0; i < n; i++) {
    union word w;
    w.number = x[i];
    low[i] = w.half.low;
    high[i] = w.half.high;
  }
  for (int i = 0; i < n; i++) {
    union word w;
    w.half.high = high[i];
    w.half.low = low[i];
    y[i] = w.number;
  }
}
#include "judge.h"
