// Divide and conquer: one half is given to std::async, the other one is done here.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <cmath>
#include <future>

enum { N = 8 };

static double total(const double *x, int from, int to) {
  if (to - from <= 2) {
    double sum = 0;
    for (int i = from; i < to; i++)
      sum += std::exp(x[i]) * x[i];
    return sum;
  }
  int middle = (from + to) / 2;
  auto left = std::async(std::launch::async, total, x, from, middle);
  double right = total(x, middle, to);
  return left.get() + right * right;
}

static double f(const double *x, int n) {
  return total(x, 0, n);
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
