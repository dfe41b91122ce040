// A thread that nobody awaits: nobody knows where its reverse begins.
// adj-exit: 3
// adj-flags: -pthread
// adj-message: detach
#include "adj.h"
#include <atomic>
#include <cstdio>
#include <thread>

static double f(const double *x) {
  std::atomic<bool> done{false};
  double square = 0;
  std::thread thread([&] {
    square = x[0] * x[0];
    done = true;
  });
  thread.detach();
  while (!done) {
  }
  return square;
}

int main() {
  double x[1] = {3}, dx[1] = {0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx);
  std::printf("%g\n", dx[0]);
}
