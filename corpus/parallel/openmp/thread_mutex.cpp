// Two threads that add to one number under a mutex.
// adj-flags: -std=c++17 -pthread
#include "differences.h"
#include <mutex>
#include <thread>
#include <vector>

constexpr int N = 10;

static std::mutex m;
static void work(const double *x, int from, int to, double *sum) {
  double s = 0;
  for (int i = from; i < to; i++) s += x[i] * x[i];
  std::lock_guard<std::mutex> guard(m);
  *sum += s;
}
static double f(const double *x, int n) {
  double sum = 0;
  std::thread a(work, x, 0, n / 2, &sum), b(work, x, n / 2, n, &sum);
  a.join();
  b.join();
  return sum * sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
