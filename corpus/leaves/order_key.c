// A key whose order as an integer is that of the numbers, and back.
#include "bits.h"
static uint64_t key_of(double x) {
  uint64_t u = bits_of(x);
  return u ^ (u >> 63 ? ~(uint64_t)0 : (uint64_t)1 << 63);
}
static double of_key(uint64_t k) { return number_of(k ^ (k >> 63 ? (uint64_t)1 << 63 : ~(uint64_t)0)); }
static void leave(const double *x, double *y, int n) {
  uint64_t key[8];
  for (int i = 0; i < n; i++)
    key[i] = key_of(x[i]);
  for (int i = 0; i < n; i++)
    y[i] = of_key(key[i]);
}
#include "judge.h"
