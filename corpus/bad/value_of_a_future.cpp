// A value that another thread leaves in a future.
// adj-exit: 3
// adj-flags: -pthread
// adj-message: is not differentiated
#include "adj.h"
#include <cstdio>
#include <future>

static double square(double x) { return x * x; }

static double f(const double *x) {
  std::future<double> later = std::async(std::launch::async, square, x[0]);
  return x[1] * later.get();
}

int main() {
  double x[2] = {3, 4}, dx[2] = {0, 0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx);
  std::printf("%g\n", dx[0]);
}
