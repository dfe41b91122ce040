// A histogram of each thread, added up in a critical section.
// adj-flags: -std=c++17 -fopenmp
#include <cmath>
#include <cstdio>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);
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
