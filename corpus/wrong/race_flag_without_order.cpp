// A thread of C++ waits in a loop until a flag says that the adjoint has come. The flag is atomic, and set and read
// without any order (relaxed), so that it says nothing about other memory.
// adj-flags: -pthread
#include "adj.h"
#include <atomic>
#include <cstdio>
#include <thread>

static void pipeline(const double *x, double *y) {
  double between = 0.0;
  std::atomic<bool> come{false};
  std::thread first([&] {
    between = *x * *x;
    come.store(true, std::memory_order_release);
  });
  while (!come.load(std::memory_order_acquire))
    std::this_thread::yield();
  *y = 2.0 * between;
  first.join();
}

__attribute__((always_inline)) static inline void pass(const double *from, double *to, double factor) {
  *to += factor * *from; //~ race
}

static void pipeline_reverse(const double *x, double *dx, double *y, double *dy) {
  double dbetween = 0.0;
  std::atomic<bool> come{false};
  pipeline(x, y);
  std::thread first([&] {
    while (!come.load(std::memory_order_relaxed))
      std::this_thread::yield();
    pass(&dbetween, dx, 2.0 * *x);
  });
  pass(dy, &dbetween, 2.0);
  come.store(true, std::memory_order_relaxed);
  first.join();
  *dy = 0.0;
}

int main() {
  double x = 1.5, dx = 0.0, y = 0.0, dy = 1.0;
  __adj_check_gradient((void *)pipeline, (void *)pipeline_reverse, &x, &dx, &y, &dy);
  std::printf("%g\n", y);
  return 0;
}
