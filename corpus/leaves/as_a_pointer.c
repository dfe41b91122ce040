// The bits as the value of a pointer, which points nowhere.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  void *slot[8];
  for (int i = 0; i < n; i++)
    slot[i] = (void *)(uintptr_t)bits_of(x[i]);
  for (int i = 0; i < n; i++)
    y[i] = number_of((uint64_t)(uintptr_t)slot[i]);
}
#include "judge.h"
