// Mutexes of C++: one that a thread may hold several times, one that readers share, two that are taken together in
// either order, one that threads try to get.
// adj-flags: -fopenmp -std=c++17
#include "differences.h"
#include <mutex>
#include <shared_mutex>

enum { N = 6 };

static double f(const double *x, int n) {
  std::recursive_mutex again;
  std::shared_mutex shared;
  std::mutex one, two;
  double sum = 0, product = 1, squares = 0, halves = 0, read = 0;
#pragma omp parallel for reduction(+ : read)
  for (int i = 0; i < n; i++) {
    {
      std::lock_guard<std::recursive_mutex> outer(again);
      sum += x[i];
      std::lock_guard<std::recursive_mutex> inner(again);
      product *= 1 + 0.5 * x[i];
    }
    {
      std::shared_lock<std::shared_mutex> reads(shared);
      read += x[0] * x[i];
    }
    {
      std::unique_lock<std::shared_mutex> writes(shared);
      squares += x[i] * x[i];
    }
    if (two.try_lock()) {
      std::lock_guard<std::mutex> has(two, std::adopt_lock);
      read += x[i] * x[i];
    } else {
      read += x[i] * x[i];
    }
    std::scoped_lock both(one, two);
    halves += 0.5 * x[i];
  }
  return sum * product + squares * read * halves;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
