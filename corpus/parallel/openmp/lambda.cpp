// A region in a template that gets a closure.
// adj-flags: -std=c++17 -fopenmp
#include <cmath>
#include <cstdio>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);
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
