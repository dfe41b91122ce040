// The forward pass adds under one mutex. In the reverse pass each thread has made a mutex of its own, which it locks
// before it adds to the common adjoint, and which keeps nobody out.
// adj-flags: -pthread
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static double potential(const double *depth, const double *x, int n) {
  std::mutex mutex;
  std::vector<std::thread> team;
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    team.emplace_back([&, i] {
      double well = -*depth * std::exp(-x[i] * x[i]);
      std::lock_guard<std::mutex> guard(mutex);
      sum += well;
    });
  for (std::thread &thread : team)
    thread.join();
  return sum;
}

static void potential_reverse(const double *depth, double *ddepth, const double *x, double *dx, int n, double seed) {
  std::vector<std::thread> team;
  for (int i = 0; i < n; i++)
    team.emplace_back([=] {
      double bell = std::exp(-x[i] * x[i]);
      dx[i] += 2.0 * *depth * x[i] * bell * seed;
      std::mutex mutex;
      std::lock_guard<std::mutex> guard(mutex);
      *ddepth -= bell * seed; //~ race
    });
  for (std::thread &thread : team)
    thread.join();
}

int main() {
  double depth = 2.0, ddepth = 0.0, x[3] = {0.1, 0.5, 0.9}, dx[3] = {};
  __adj_check_gradient((void *)potential, (void *)potential_reverse, enzyme_dup, &depth, &ddepth, enzyme_dup, x, dx,
                       enzyme_const, 3, 1.0);
  std::printf("%g\n", potential(&depth, x, 3));
  return 0;
}
