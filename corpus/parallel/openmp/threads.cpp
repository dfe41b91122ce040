// Threads in a vector.
// adj-flags: -std=c++17 -pthread
#include "differences.h"
#include <thread>
#include <vector>

constexpr int N = 10;

static double f(const double *x, int n) {
  std::vector<double> part(4, 0.0);
  std::vector<std::thread> pool;
  for (int t = 0; t < 4; t++)
    pool.emplace_back([&, t] { for (int i = t; i < n; i += 4) part[t] += x[i] * x[i] * x[0]; });
  for (auto &t : pool) t.join();
  return part[0] * part[1] + part[2] * part[3];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
