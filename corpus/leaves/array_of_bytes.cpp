// An array of std::byte, combined with a key.
// adj-flags: -std=c++20
#include <array>
#include <bit>
#include <cstddef>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    auto bytes = std::bit_cast<std::array<std::byte, 8>>(x[i]);
    for (auto &b : bytes)
      b ^= std::byte{0x5a};
    for (auto &b : bytes)
      b ^= std::byte{0x5a};
    y[i] = std::bit_cast<double>(bytes);
  }
}
#include "judge.h"
