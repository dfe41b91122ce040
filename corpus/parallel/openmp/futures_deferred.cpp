// A future whose function is called where it is asked for, and one of which the library decides.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <cmath>
#include <future>

enum { N = 8 };

static double f(const double *x, int n) {
  auto later = std::async(std::launch::deferred, [=] { return std::sin(x[0]) * x[1]; });
  auto either = std::async([x, n] {
    double sum = 0;
    for (int i = 2; i < n; i++)
      sum += x[i] * x[i];
    return sum;
  });
  return later.get() * either.get();
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
