// Energies of poses.
// adj-flags: -std=c++17 -fopenmp
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);
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
