// Energy of pairs, rows given out one after the other.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include <cmath>
#include <vector>

constexpr int N = 10;

struct Body { double x, y, z, m; };
static double f(const double *x, int n) {
  std::vector<Body> b(n);
  for (int i = 0; i < n; i++) b[i] = {x[i], x[i] * x[i], std::sin(x[i]), 1 + 0.1 * i};
  double e = 0;
#pragma omp parallel for reduction(+:e) schedule(dynamic)
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      double dx = b[i].x - b[j].x, dy = b[i].y - b[j].y, dz = b[i].z - b[j].z;
      e -= b[i].m * b[j].m / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01);
    }
  return e;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
