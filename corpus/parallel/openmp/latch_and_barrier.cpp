// Threads meet at a barrier, count down a latch, and are awaited by their destructors (C++20).
// adj-flags: -pthread -std=c++20
#include "differences.h"
#include <barrier>
#include <latch>
#include <thread>

enum { N = 8 };

static double f(const double *x, int n) {
  double parts[2] = {}, mixed[2] = {}, sum;
  std::latch done(2);
  std::barrier<> meet(2);
  auto work = [&](int k) {
    for (int i = k; i < n; i += 2)
      parts[k] += std::sin(x[i]) * x[i];
    meet.arrive_and_wait();
    mixed[k] = parts[k] * parts[1 - k] * parts[1 - k];
    done.count_down();
  };
  {
    std::jthread one(work, 0), two(work, 1);
    done.wait();
    sum = mixed[0] + 2 * mixed[1];
  }
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
