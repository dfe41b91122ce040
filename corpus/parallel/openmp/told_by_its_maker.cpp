// A thread waits for a number that its maker computes after making it.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <condition_variable>
#include <mutex>
#include <thread>

enum { N = 8 };

static double f(const double *x, int n) {
  std::mutex lock;
  std::condition_variable told;
  bool ready = false;
  double number = 0, square = 0;
  std::thread waits([&] {
    std::unique_lock<std::mutex> guard(lock);
    told.wait(guard, [&] { return ready; });
    square = number * number;
  });
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[0];
  {
    std::lock_guard<std::mutex> guard(lock);
    number = sum;
    ready = true;
  }
  told.notify_one();
  waits.join();
  return square;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
