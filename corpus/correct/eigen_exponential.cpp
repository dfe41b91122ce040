// Element-wise functions of Eigen in its vector forms: the exponential rounds by a sum, and puts a power of two together from bits.
#include "adj.h"
#include <eigen3/Eigen/Dense>
#include <cmath>
#include <cstdio>

static double energy(const double *x, int n) {
  Eigen::Map<const Eigen::ArrayXd> a(x, n);
  Eigen::ArrayXd e = a.exp() + (0.5 * a).max(0.2) * a.square();
  return e.sum();
}

int main() {
  double x[5] = {0.3, -1.7, 2.9, 0.01, 1.1}, dx[5] = {0};
  __enzyme_autodiff<double>((void *)energy, enzyme_dup, x, dx, enzyme_const, 5);
  int wrong = 0;
  for (int i = 0; i < 5; i++) {
    double rest = 0.5 * x[i] > 0.2 ? 1.5 * x[i] * x[i] : 0.4 * x[i];
    wrong += std::fabs(dx[i] - std::exp(x[i]) - rest) > 1e-12 * std::exp(x[i]);
    std::printf("%.10f\n", dx[i]);
  }
  return wrong;
}
