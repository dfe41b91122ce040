// std::bit_cast to an integer and back, bytes swapped between.
// adj-flags: -std=c++20
#include <bit>
#include <cstdint>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    volatile std::uint64_t wire = __builtin_bswap64(std::bit_cast<std::uint64_t>(x[i]));
    y[i] = std::bit_cast<double>(__builtin_bswap64(wire));
  }
}
#include "judge.h"
