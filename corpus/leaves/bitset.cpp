// A std::bitset of the bits, shifted to and fro.
#include <bitset>
#include <cstdint>
#include <cstring>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    std::uint64_t u;
    std::memcpy(&u, x + i, 8);
    std::bitset<128> b(u);
    b <<= 37;
    b.flip();
    b.flip();
    b >>= 37;
    u = b.to_ullong();
    std::memcpy(y + i, &u, 8);
  }
}
#include "judge.h"
