// The same by fences: what is written before the one is seen behind the other, if the flag in between says so. Who
// comes first in the forward pass comes last in the reverse.
// adj-flags: -fopenmp
#include "differences.h"
#include <atomic>
#include <omp.h>

enum { N = 5 };

static double f(const double *x, int n) {
  std::atomic<int> ready{0};
  double shared = 0, sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    if (omp_get_thread_num() == 0) {
      shared = x[0] * x[1];
      std::atomic_thread_fence(std::memory_order_release);
      ready.store(1, std::memory_order_relaxed);
    }
    while (!ready.load(std::memory_order_relaxed)) {
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads())
      sum += shared * x[i] * x[i];
  }
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
