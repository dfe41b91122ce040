// Threads of C++ add to variables of their own, which nobody else sees.
// adj-exit: 3
// adj-flags: -pthread
// adj-message: of which each thread has its own
#include "adj.h"
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static thread_local double own = 0;

static double f(const double *x, int n) {
  double total = 1;
  std::mutex lock;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back([&, t] {
      for (int i = t; i < n; i += 3) own += x[i] * x[i];
      std::lock_guard<std::mutex> guard(lock);
      total *= own;
    });
  for (auto &thread : threads) thread.join();
  return total;
}

int main() {
  double x[6] = {3, 1, 2, 5, 4, 6}, dx[6] = {0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx, enzyme_const, 6);
  std::printf("%g\n", dx[0]);
}
