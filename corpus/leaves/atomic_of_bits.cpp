// The bits in a std::atomic.
// adj-flags: -std=c++20
#include <atomic>
#include <bit>
#include <cstdint>
static void leave(const double *x, double *y, int n) {
  std::atomic<std::uint64_t> word{0};
  for (int i = 0; i < n; i++) {
    word.store(std::bit_cast<std::uint64_t>(x[i]));
    y[i] = std::bit_cast<double>(word.load());
  }
}
#include "judge.h"
