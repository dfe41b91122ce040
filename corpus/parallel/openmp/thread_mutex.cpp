// Two threads that add to one number under a mutex.
// adj-flags: -std=c++17 -pthread
#include <cmath>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);
constexpr int N = 10;

static std::mutex m;
static void work(const double *x, int from, int to, double *sum) {
  double s = 0;
  for (int i = from; i < to; i++) s += x[i] * x[i];
  std::lock_guard<std::mutex> guard(m);
  *sum += s;
}
static double f(const double *x, int n) {
  double sum = 0;
  std::thread a(work, x, 0, n / 2, &sum), b(work, x, n / 2, n, &sum);
  a.join();
  b.join();
  return sum * sum;
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
