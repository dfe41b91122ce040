// A stencil in two dimensions.
// adj-flags: -std=c++17 -fopenmp
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);
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
