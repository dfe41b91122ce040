// What threads own together is given back by the last of them: the counts are looked at, and nobody waits for them.
// adj-flags: -pthread
#include "differences.h"
#include <memory>
#include <thread>
#include <vector>

enum { N = 8 };

struct Table {
  double value[2] = {1, 2};
};

static double f(const double *x, int n) {
  std::vector<double> sums(2);
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; t++) {
    auto table = std::make_shared<Table>();
    threads.emplace_back([table, &sums, x, n, t] {
      for (int i = t; i < n; i += 2) table->value[t] += x[i] * x[i];
      sums[t] = table->value[0] * table->value[1];
    });
  }
  for (auto &thread : threads) thread.join();
  return sums[0] * sums[1];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
