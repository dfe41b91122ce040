// Each thread of C++ has an adjoint of its own for the coefficient that only its row uses. What the last thread has
// is not added to the shadow. Evidence: that component gets nothing.
// adj-flags: -pthread
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

constexpr int rows = 3;

template <typename Work> static void in_threads(Work work) {
  std::vector<std::thread> team;
  for (int r = 0; r < rows; r++)
    team.emplace_back(work, r);
  for (std::thread &thread : team)
    thread.join();
}

static double decays(const double *rate, const double *time) {
  double part[rows];
  in_threads([=, &part](int r) { part[r] = std::exp(-rate[r] * time[r]); });
  double sum = 0.0;
  for (double value : part)
    sum += value;
  return sum;
}

static void decays_reverse(const double *rate, double *drate, const double *time, double seed) { //~ wrong: activity
  double part[rows];
  in_threads([=, &part](int r) { part[r] = -time[r] * std::exp(-rate[r] * time[r]) * seed; });
  for (int r = 0; r + 1 < rows; r++)
    drate[r] += part[r];
}

int main() {
  double rate[rows] = {0.5, 1.0, 1.5}, drate[rows] = {}, time[rows] = {1.0, 0.5, 2.0};
  __adj_check_gradient((void *)decays, (void *)decays_reverse, enzyme_dup, rate, drate, enzyme_const, time, 1.0);
  std::printf("%g\n", decays(rate, time));
  return 0;
}
