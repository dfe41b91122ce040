// A histogram of each thread, added up in a critical section.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include <vector>

constexpr int N = 10;

static double f(const double *x, int n) {
  std::vector<double> h(5, 0.0);
#pragma omp parallel
  {
    std::vector<double> mine(5, 0.0);
#pragma omp for nowait
    for (int i = 0; i < n; i++) mine[i % 5] += x[i] * x[i];
#pragma omp critical
    for (int k = 0; k < 5; k++) h[k] += mine[k];
  }
  double s = 1;
  for (double v : h) s *= v;
  return s;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
