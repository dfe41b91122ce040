// A region in a template that gets a closure.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include <vector>

constexpr int N = 10;

template <class F> static void parallel_for(int n, F body) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) body(i);
}
static double f(const double *x, int n) {
  std::vector<double> y(n);
  double scale = x[0];
  parallel_for(n, [&](int i) { y[i] = scale * x[i] * x[i]; });
  double s = 0;
  for (double v : y) s += v * v;
  return s;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
