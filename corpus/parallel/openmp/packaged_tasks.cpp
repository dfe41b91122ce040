// Tasks in packages, executed by a thread one after the other.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <cmath>
#include <future>
#include <thread>
#include <utility>
#include <vector>

enum { N = 8 };

static double f(const double *x, int n) {
  std::vector<std::packaged_task<double()>> tasks;
  std::vector<std::future<double>> results;
  for (int i = 0; i < n; i += 2) {
    tasks.emplace_back([=] { return std::sin(x[i]) * x[i + 1]; });
    results.push_back(tasks.back().get_future());
  }
  std::thread worker([&] {
    for (auto &task : tasks)
      task();
  });
  double product = 1;
  for (auto &result : results)
    product *= 1 + result.get();
  worker.join();
  return product;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
