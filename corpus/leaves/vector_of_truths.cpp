// A std::vector<bool> of the bits.
#include <cstdint>
#include <cstring>
#include <vector>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    std::uint64_t u, v = 0;
    std::memcpy(&u, x + i, 8);
    std::vector<bool> b(64);
    for (int k = 0; k < 64; k++)
      b[k] = u >> k & 1;
    for (int k = 0; k < 64; k++)
      v |= static_cast<std::uint64_t>(b[k]) << k;
    std::memcpy(y + i, &v, 8);
  }
}
#include "judge.h"
