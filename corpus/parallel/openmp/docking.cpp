// Energies of poses.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include <cmath>
#include <numeric>
#include <vector>

constexpr int N = 10;

static double f(const double *x, int n) {
  const int poses = 6;
  std::vector<double> e(poses);
#pragma omp parallel for schedule(static)
  for (int p = 0; p < poses; p++) {
    double s = std::sin(0.3 * p), c = std::cos(0.3 * p), en = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double dx = c * x[i] - s * x[j], dy = s * x[i] + c * x[j] + 1;
        double r2 = dx * dx + dy * dy + 0.5;
        double q = 1 / (r2 * r2 * r2);
        en += r2 < 3.0 ? q * q - q : 0.01 * q;
      }
    e[p] = en;
  }
  return std::accumulate(e.begin(), e.end(), 0.0);
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
