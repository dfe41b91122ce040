// Regions in members of a class.
// adj-flags: -std=c++17 -fopenmp
#include <cmath>
#include <cstdio>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);
constexpr int N = 10;

class Model {
  std::vector<double> w, out;
public:
  Model(const double *x, int n) : w(x, x + n), out(n) {}
  void step(double dt) {
#pragma omp parallel for
    for (size_t i = 0; i < w.size(); i++) out[i] = w[i] + dt * std::tanh(w[(i + 1) % w.size()]);
    w.swap(out);
  }
  double norm() const {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (size_t i = 0; i < w.size(); i++) s += w[i] * w[i];
    return std::sqrt(s);
  }
};
static double f(const double *x, int n) {
  Model m(x, n);
  for (int k = 0; k < 4; k++) m.step(0.1 * (k + 1));
  return m.norm();
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
