// Whichever thread comes first computes a number that all of them use, by std::call_once.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <mutex>
#include <thread>

enum { N = 8 };

static double f(const double *x, int n) {
  std::once_flag computed;
  double scale = 0, parts[3];
  auto work = [&](int k) {
    std::call_once(computed, [&] { scale = x[0] * x[1]; });
    parts[k] = scale * std::sin(x[k + 2]);
  };
  std::thread one(work, 0), two(work, 1);
  work(2);
  one.join();
  two.join();
  return parts[0] * parts[1] + parts[2] * x[n - 1];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
