// A list of jobs, each a function in an object, and threads that fetch the next one: by a counter, and from a stack
// behind a mutex.
// adj-flags: -std=c++20 -pthread
#include "differences.h"
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

enum { N = 9 };

static double f(const double *x, int n) {
  std::vector<double> y(n), z(n);
  std::vector<std::function<void()>> jobs;
  std::vector<int> stack;
  for (int i = 0; i < n; i++) {
    jobs.push_back([&, i] { y[i] = x[i] * x[(i + 1) % n]; });
    stack.push_back(i);
  }
  std::atomic<int> next{0};
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back([&] {
      for (int i; (i = next++) < n;)
        jobs[i]();
      for (;;) {
        int i;
        {
          std::lock_guard<std::mutex> lock(mutex);
          if (stack.empty())
            return;
          i = stack.back();
          stack.pop_back();
        }
        z[i] = x[i] * x[i] * x[i];
      }
    });
  for (auto &thread : threads)
    thread.join();
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * z[n - 1 - i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
