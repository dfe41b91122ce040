// Threads in a vector.
// adj-flags: -std=c++17 -pthread
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);
constexpr int N = 10;

static double f(const double *x, int n) {
  std::vector<double> part(4, 0.0);
  std::vector<std::thread> pool;
  for (int t = 0; t < 4; t++)
    pool.emplace_back([&, t] { for (int i = t; i < n; i += 4) part[t] += x[i] * x[i] * x[0]; });
  for (auto &t : pool) t.join();
  return part[0] * part[1] + part[2] * part[3];
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
