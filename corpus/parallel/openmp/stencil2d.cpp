// A stencil in two dimensions.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include <algorithm>
#include <vector>

constexpr int N = 10;

static double f(const double *x, int n) {
  const int m = 6;
  std::vector<double> u(m * m), v(m * m);
  for (int i = 0; i < m * m; i++) u[i] = x[i % n] * (1 + 0.01 * i);
  for (int t = 0; t < 3; t++) {
#pragma omp parallel for collapse(2)
    for (int i = 1; i < m - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i * m + j] = u[i * m + j] + 0.1 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - 4 * u[i * m + j]) * u[i * m + j];
    std::swap(u, v);
  }
  double s = 0;
  for (double a : u) s += a * a;
  return s;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
