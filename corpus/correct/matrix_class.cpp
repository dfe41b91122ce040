// A matrix over std::vector with operators, used by Gaussian elimination with pivoting.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

struct Matrix {
  int n;
  std::vector<double> a;
  Matrix(int n, const double *x) : n(n), a(x, x + n * n) {}
  double &operator()(int i, int j) { return a[i * n + j]; }
};

static std::vector<double> solve(Matrix m, std::vector<double> b) {
  for (int k = 0; k < m.n; k++) {
    int p = k;
    for (int i = k + 1; i < m.n; i++)
      if (std::fabs(m(i, k)) > std::fabs(m(p, k)))
        p = i;
    for (int j = 0; j < m.n; j++)
      std::swap(m(k, j), m(p, j));
    std::swap(b[k], b[p]);
    for (int i = k + 1; i < m.n; i++) {
      double f = m(i, k) / m(k, k);
      for (int j = k; j < m.n; j++)
        m(i, j) -= f * m(k, j);
      b[i] -= f * b[k];
    }
  }
  for (int i = m.n - 1; i >= 0; i--) {
    for (int j = i + 1; j < m.n; j++)
      b[i] -= m(i, j) * b[j];
    b[i] /= m(i, i);
  }
  return b;
}

static double run(const double *x) {
  std::vector<double> y = solve(Matrix(3, x), {1.0, x[0], -0.5});
  return y[0] * y[1] + y[2];
}

int main() {
  double x[9] = {0.2, 1.3, -0.4, 0.9, 0.1, 0.6, -0.7, 0.5, 1.1}, dx[9] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
