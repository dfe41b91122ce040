// Functions given to std::async write where their captures lead, and give back nothing.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <cmath>
#include <functional>
#include <future>
#include <vector>

enum { N = 8 };

static void scale(const double *x, std::vector<double> &y, int from, int to) {
  for (int i = from; i < to; i++)
    y[i] = x[i] * std::exp(-x[i]);
}

static double f(const double *x, int n) {
  std::vector<double> y(n);
  auto lower = std::async(std::launch::async, scale, x, std::ref(y), 0, n / 2);
  auto upper = std::async(std::launch::async, [&] { scale(x, y, n / 2, n); });
  lower.wait();
  upper.get();
  double sum = 0;
  for (int i = 1; i < n; i++)
    sum += y[i] * y[i - 1];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
