// Keys with their places, sorted by std::sort.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
static void leave(const double *x, double *y, int n) {
  std::pair<std::uint64_t, int> key[8];
  for (int i = 0; i < n; i++) {
    std::uint64_t u;
    std::memcpy(&u, x + i, 8);
    key[i] = {u ^ (u >> 63 ? ~std::uint64_t{0} : std::uint64_t{1} << 63), i};
  }
  std::sort(key, key + n);
  for (int i = 0; i < n; i++) {
    std::uint64_t u = key[i].first;
    u ^= u >> 63 ? std::uint64_t{1} << 63 : ~std::uint64_t{0};
    std::memcpy(y + key[i].second, &u, 8);
  }
}
#include "judge.h"
