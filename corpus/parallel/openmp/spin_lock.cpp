// A lock by comparison and exchange, which threads try to get until it is free, around products whose order matters to
// the reverse pass.
// adj-flags: -fopenmp
#include "differences.h"
#include <atomic>

enum { N = 6 };

static double f(const double *x, int n) {
  std::atomic<int> lock{0};
  double product = 1, weighed = 0;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n; i++) {
    double factor = 1 + 0.5 * x[i];
    int free = 0;
    while (!lock.compare_exchange_weak(free, 1, std::memory_order_acquire))
      free = 0;
    product *= factor;
    weighed += factor * factor;
    lock.store(0, std::memory_order_release);
  }
  return product * weighed;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
