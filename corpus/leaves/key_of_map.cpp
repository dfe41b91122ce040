// The bits as keys of a map, which are read from it.
#include <cstdint>
#include <cstring>
#include <map>
static void leave(const double *x, double *y, int n) {
  std::map<std::uint64_t, int> place;
  for (int i = 0; i < n; i++) {
    std::uint64_t u;
    std::memcpy(&u, x + i, 8);
    place[u] = i;
  }
  for (const auto &[u, i] : place)
    std::memcpy(y + i, &u, 8);
}
#include "judge.h"
