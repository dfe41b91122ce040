// Several threads ask for the number of one of them.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <cmath>
#include <future>
#include <vector>

enum { N = 8 };

static double f(const double *x, int n) {
  std::shared_future<double> mean = std::async(std::launch::async, [=] {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += x[i];
    return sum / n;
  });
  std::vector<std::future<double>> parts;
  for (int t = 0; t < 2; t++) {
    parts.push_back(std::async(std::launch::async, [=] {
      double sum = 0;
      for (int i = t; i < n; i += 2)
        sum += (x[i] - mean.get()) * (x[i] - mean.get());
      return sum;
    }));
  }
  double variance = 0;
  for (auto &part : parts)
    variance += part.get();
  return std::sqrt(variance / n);
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
