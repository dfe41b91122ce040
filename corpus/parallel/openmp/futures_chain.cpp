// Each of some futures waits for the one before it.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <future>
#include <utility>
#include <cmath>

enum { N = 8 };

static double f(const double *x, int n) {
  std::future<double> prev = std::async(std::launch::async, [x] { return x[0]; });
  for (int i = 1; i < n; i++)
    prev = std::async(
        std::launch::async, [x, i](std::future<double> p) { return std::cos(p.get()) * x[i]; }, std::move(prev));
  return prev.get();
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
