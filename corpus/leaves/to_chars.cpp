// std::to_chars and std::from_chars.
// adj-flags: -std=c++17
#include <charconv>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    auto end = std::to_chars(text, text + sizeof text, x[i]).ptr;
    std::from_chars(text, end, y[i]);
  }
}
#include "judge.h"
