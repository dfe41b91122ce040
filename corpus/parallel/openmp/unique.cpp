// Rows that threads allocate.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include <memory>
#include <vector>

constexpr int N = 10;

static double f(const double *x, int n) {
  std::vector<std::unique_ptr<double[]>> rows(3);
#pragma omp parallel for
  for (int r = 0; r < 3; r++) {
    rows[r] = std::make_unique<double[]>(n);
    for (int i = 0; i < n; i++) rows[r][i] = x[i] * x[(i + r) % n];
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += rows[0][i] * rows[1][i] * rows[2][i];
  return s;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
