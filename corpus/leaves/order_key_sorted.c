// Keys sorted as integers; their numbers, in that order, go back to where they came from.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  uint64_t key[8];
  int from[8];
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]);
    u ^= u >> 63 ? ~(uint64_t)0 : (uint64_t)1 << 63;
    int k = i;
    for (; k > 0 && key[k - 1] > u; k--)
      key[k] = key[k - 1], from[k] = from[k - 1];
    key[k] = u, from[k] = i;
  }
  for (int i = 0; i < n; i++) {
    uint64_t u = key[i];
    u ^= u >> 63 ? (uint64_t)1 << 63 : ~(uint64_t)0;
    y[from[i]] = number_of(u);
  }
}
#include "judge.h"
