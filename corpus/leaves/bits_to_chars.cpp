// The bits as text, by std::to_chars and std::from_chars of integers.
// adj-flags: -std=c++17
#include <charconv>
#include <cstdint>
#include <cstring>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    std::uint64_t u;
    std::memcpy(&u, x + i, 8);
    auto end = std::to_chars(text, text + sizeof text, u).ptr;
    std::from_chars(text, end, u);
    std::memcpy(y + i, &u, 8);
  }
}
#include "judge.h"
