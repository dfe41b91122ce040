// Keys sorted by insertion, those of constants among them; their numbers go back to where they came from.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  double plain[5] = {x[0], 0.5, x[1], 0.25, x[2]}, again[5];
  uint64_t keys[5];
  int from[5];
  for (int i = 0; i < 5; i++) {
    uint64_t u = bits_of(plain[i]);
    u ^= u >> 63 ? ~(uint64_t)0 : (uint64_t)1 << 63;
    int k = i;
    for (; k > 0 && keys[k - 1] > u; k--)
      keys[k] = keys[k - 1], from[k] = from[k - 1];
    keys[k] = u, from[k] = i;
  }
  for (int i = 0; i < 5; i++)
    again[from[i]] = number_of(keys[i] ^ (keys[i] >> 63 ? (uint64_t)1 << 63 : ~(uint64_t)0));
  for (int i = 0; i < n; i++)
    y[i] = again[2 * i];
}
#include "judge.h"
