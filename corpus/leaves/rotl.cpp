// std::rotl and std::rotr.
// adj-flags: -std=c++20
#include <bit>
#include <cstdint>
static void leave(const double *x, double *y, int n) {
  std::uint64_t turned[8];
  for (int i = 0; i < n; i++)
    turned[i] = std::rotl(std::bit_cast<std::uint64_t>(x[i]), 21);
  for (int i = 0; i < n; i++)
    y[i] = std::bit_cast<double>(std::rotr(turned[i], 21));
}
#include "judge.h"
