// Sums, products and an exchange of std::atomic<double> in which some terms are zero and some factors one: the memory
// holds the same bits after another thread's turn, and yet that thread has come between (the ABA problem). Where
// nothing is written out, a member function chooses the order of memory at run time and gets the expected number by
// reference.
// adj-flags: -fopenmp -std=c++20
#include "adj.h"
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

enum { N = 24, T = 3 };

static void times(std::atomic<double> &s, double v) {
  double old = s.load(), wanted;
  do wanted = old * v;
  while (!s.compare_exchange_strong(old, wanted));
}

static double f(const double *x, int n) {
  std::atomic<double> sum{1.0}, product{0.5}, norm{0.5};
  std::vector<std::thread> threads;
  for (int t = 0; t < T; t++)
    threads.emplace_back([&, t] {
      for (int i = t; i < n; i += T) {
        sum.fetch_add(x[i] * x[i] + 2 * x[i]);
        times(product, 1 + 0.5 * x[i] + x[i] * x[i]);
        double old = norm;
        while (!norm.compare_exchange_weak(old, std::sqrt(old * old + x[i]), std::memory_order_relaxed)) {
        }
      }
    });
  for (auto &thread : threads) thread.join();
  return sum.load() + product + norm;
}

int main() {
  double x[N] = {0}, dx[N] = {0};
  x[3] = 0.5;
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  for (double d : dx) std::printf("%g\n", d);
  return 0;
}
