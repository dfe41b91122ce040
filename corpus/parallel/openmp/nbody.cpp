// Energy of pairs, rows given out one after the other.
// adj-flags: -std=c++17 -fopenmp
#include <cmath>
#include <cstdio>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);
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

int main() {
  std::vector<double> x(N), dx(N, 0.0);
  for (int i = 0; i < N; i++) x[i] = 0.4 + 0.13 * i;
  __enzyme_autodiff((void *)f, enzyme_dup, x.data(), dx.data(), enzyme_const, N);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    const double h = 1e-5, at = x[i];
    x[i] = at + h;
    const double above = f(x.data(), N);
    x[i] = at - h;
    const double below = f(x.data(), N);
    x[i] = at;
    const double slope = (above - below) / (2 * h);
    if (!(std::fabs(slope - dx[i]) <= 2e-6 * (1 + std::fabs(slope)))) {
      printf("dx[%d] = %.12g, but the slope is %.12g\n", i, dx[i], slope);
      wrong = 1;
    }
  }
  return wrong;
}
