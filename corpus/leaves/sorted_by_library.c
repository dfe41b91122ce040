// Keys sorted by qsort.
#include "bits.h"
#include <stdlib.h>
static int compare(const void *a, const void *b) {
  uint64_t u = *(const uint64_t *)a, v = *(const uint64_t *)b;
  return u < v ? -1 : u > v;
}
static void leave(const double *x, double *y, int n) {
  uint64_t key[8];
  for (int i = 0; i < n; i++)
    key[i] = bits_of(x[i]);
  qsort(key, n, sizeof key[0], compare);
  for (int i = 0; i < n; i++)
    y[i] = number_of(key[i]);
}
#include "judge.h"
