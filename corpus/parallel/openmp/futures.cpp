// Parts of a sum of squares by std::async; who asks for them multiplies.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <cmath>
#include <future>
#include <vector>

enum { N = 8 };

static double part(const double *x, int from, int to) {
  double sum = 0;
  for (int i = from; i < to; i++)
    sum += std::sin(x[i]) * x[i];
  return sum;
}

static double f(const double *x, int n) {
  std::vector<std::future<double>> parts;
  for (int i = 0; i < n; i += 2)
    parts.push_back(std::async(std::launch::async, part, x, i, i + 2));
  double product = 1;
  for (auto &found : parts)
    product *= found.get();
  return product;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
