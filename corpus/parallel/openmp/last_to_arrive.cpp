// Threads fetch their work from a counter, and the last one that has none left adds up what all have written.
// adj-flags: -fopenmp
#include "differences.h"
#include <atomic>
#include <omp.h>

enum { N = 9 };

static std::atomic<int> next, done;

__attribute__((noinline)) static int fetch() { return next.fetch_add(1); }

static double f(const double *x, int n) {
  double y[N], total = 0;
  next = 0;
  done = 0;
#pragma omp parallel
  {
    for (int i = fetch(); i < n; i = fetch()) y[i] = x[i] * x[(i + 1) % n];
    if (done.fetch_add(1) == omp_get_num_threads() - 1)
      for (int k = 0; k < n; k++) total += y[k] * y[k];
  }
  return total;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
