// Vectors, three regions after each other.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include <cmath>
#include <vector>

constexpr int N = 10;

static double f(const double *x, int n) {
  std::vector<double> y(n), z(n);
#pragma omp parallel for
  for (int i = 0; i < n; i++) y[i] = std::exp(-x[i]) * x[(i + 1) % n];
#pragma omp parallel for
  for (int i = 0; i < n; i++) z[i] = y[i] * y[n - 1 - i];
  double s = 0;
#pragma omp parallel for reduction(+:s)
  for (int i = 0; i < n; i++) s += z[i];
  return s;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
