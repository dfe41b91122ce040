// A thread promises two numbers, and waits for a promise of its maker in between.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <cmath>
#include <future>
#include <thread>
#include <utility>

enum { N = 8 };

static double f(const double *x, int n) {
  std::promise<double> first, second;
  std::promise<void> go;
  std::future<double> one = first.get_future(), other = second.get_future();
  std::thread thread([&] {
    first.set_value(x[0] * x[1]);
    go.get_future().wait();
    double product = 1;
    for (int i = 2; i < n; i++)
      product *= x[i];
    second.set_value(product);
  });
  double found = std::sin(one.get());
  go.set_value();
  found += other.get() * found;
  thread.join();
  return found;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
