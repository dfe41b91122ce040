// What one thread releases by a store, others acquire by a fence behind a relaxed load; and what it releases by a fence
// in front of a relaxed store, others acquire by a load.
// adj-flags: -fopenmp
#include "differences.h"
#include <atomic>
#include <omp.h>

enum { N = 5 };

static double f(const double *x, int n) {
  std::atomic<int> ready{0}, again{0};
  double one = 0, two = 0, sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    if (omp_get_thread_num() == 0) {
      one = x[0] * x[1];
      ready.store(1, std::memory_order_release);
      two = x[1] * x[2];
      std::atomic_thread_fence(std::memory_order_release);
      again.store(1, std::memory_order_relaxed);
    }
    while (!ready.load(std::memory_order_relaxed)) {
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    double first = one;
    while (!again.load(std::memory_order_acquire)) {
    }
    for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads())
      sum += first * two * x[i] * x[i];
  }
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
