// The bits thrown and caught.
#include <cstdint>
#include <cstring>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    try {
      std::uint64_t u;
      std::memcpy(&u, x + i, 8);
      throw u;
    } catch (std::uint64_t u) {
      std::memcpy(y + i, &u, 8);
    }
  }
}
#include "judge.h"
