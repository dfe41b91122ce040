// What an exchange expects is a member of a structure that member functions reach by its address: a number for who
// computes with it, and its bits for who exchanges it. Terms of zero leave the bits as they are, though another thread
// has come between (the ABA problem).
// adj-flags: -fopenmp -std=c++20
#include "adj.h"
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

enum { N = 24, T = 3 };

struct Expected {
  int attempts;
  double old;
};

struct Update {
  std::atomic<double> *cell;
  Expected expected;
  void load() { expected.old = cell->load(); }
  bool put(double v) {
    expected.attempts++;
    return cell->compare_exchange_weak(expected.old, v);
  }
};

struct Accumulator {
  std::atomic<double> value{0.25};
  void add(double term) {
    Update update{&value, {0, 0}}, *u = &update;
    u->load();
    while (!u->put(u->expected.old + term)) {
    }
  }
  void norm(double term) {
    Update update{&value, {0, value.load()}};
    while (!update.put(std::sqrt(update.expected.old * update.expected.old + term * term * term))) {
    }
  }
};

static double f(const double *x, int n) {
  Accumulator sum, norm;
  std::vector<std::thread> threads;
  for (int t = 0; t < T; t++)
    threads.emplace_back([&, t] {
      for (int i = t; i < n; i += T) {
        sum.add(3 * x[i] + x[i] * x[i]);
        norm.norm(x[i]);
      }
    });
  for (auto &thread : threads) thread.join();
  return sum.value * norm.value;
}

int main() {
  double x[N] = {0}, dx[N] = {0};
  x[3] = 0.5, x[4] = 0.25;
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  for (double d : dx) std::printf("%g\n", d);
  return 0;
}
