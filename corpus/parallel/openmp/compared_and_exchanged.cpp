// Floats of which threads update each in one piece: a sum by comparison and exchange, the same by a member of C++20,
// and a maximum that most threads leave as it is.
// adj-flags: -fopenmp -std=c++20
#include "differences.h"
#include <atomic>
#include <thread>
#include <vector>

enum { N = 6 };

static void add(std::atomic<double> &sum, double part) {
  double old = sum.load();
  while (!sum.compare_exchange_weak(old, old + part)) {
  }
}

static double f(const double *x, int n) {
  std::atomic<double> sum{0.0}, squares{0.0}, largest{-1.0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back([&, t] {
      for (int i = t; i < n; i += 3) {
        add(sum, x[i] * x[(i + 1) % n]);
        squares.fetch_add(x[i] * x[i]);
        double found = largest.load(std::memory_order_relaxed);
        while (found < x[i] && !largest.compare_exchange_strong(found, x[i])) {
        }
      }
    });
  for (auto &thread : threads)
    thread.join();
  return sum.load() * largest + squares;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
