// A thread of C++ waits for what its maker does later.
// adj-exit: 3
// adj-flags: -pthread
// adj-message: orders threads
#include "adj.h"
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

static double f(const double *x) {
  std::mutex lock;
  std::condition_variable told;
  bool ready = false;
  double given = 0, square = 0;
  std::thread waiting([&] {
    std::unique_lock<std::mutex> held(lock);
    told.wait(held, [&] { return ready; });
    square = given * given;
  });
  {
    std::lock_guard<std::mutex> held(lock);
    given = x[0];
    ready = true;
  }
  told.notify_one();
  waiting.join();
  return square;
}

int main() {
  double x[1] = {3}, dx[1] = {0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx);
  std::printf("%g\n", dx[0]);
}
