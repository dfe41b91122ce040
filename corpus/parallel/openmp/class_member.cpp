// Regions in members of a class.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include <cmath>
#include <vector>

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

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
