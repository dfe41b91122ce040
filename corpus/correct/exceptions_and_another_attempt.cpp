// A matrix class with checked access and a solver that gives up on singular pivots; regularised on retry.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>
class Singular : public std::runtime_error { public: int column; double pivot; Singular(int c, double p) : std::runtime_error("singular"), column(c), pivot(p) {} };
class Matrix {
  int n; std::vector<double> a;
public:
  explicit Matrix(int n) : n(n), a(n * n, 0.0) { if (n <= 0) throw std::invalid_argument("size"); }
  double &operator()(int i, int j) { if (i < 0 || j < 0 || i >= n || j >= n) throw std::out_of_range("index"); return a[i * n + j]; }
  int size() const { return n; }
};
static std::vector<double> solve(Matrix m, std::vector<double> b) {
  int n = m.size();
  for (int k = 0; k < n; k++) {
    if (std::fabs(m(k, k)) < 1e-3) throw Singular(k, m(k, k));
    for (int i = k + 1; i < n; i++) {
      double f = m(i, k) / m(k, k);
      for (int j = k; j < n; j++) m(i, j) -= f * m(k, j);
      b[i] -= f * b[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) { for (int j = i + 1; j < n; j++) b[i] -= m(i, j) * b[j]; b[i] /= m(i, i); }
  return b;
}
static double f(const double *x, int n) {
  double shift = 0.0;
  for (int attempt = 0;; attempt++) {
    Matrix m(n);
    std::vector<double> b(n);
    for (int i = 0; i < n; i++) { b[i] = x[i]; for (int j = 0; j < n; j++) m(i, j) = x[i] * x[j] + (i == j ? shift : 0.0); }
    try {
      double s = 0.0;
      for (double v : solve(m, b)) s += v;
      try { s += m(n, 0); } catch (const std::out_of_range &) { s += 0.25 * m(0, n - 1); }
      return s;
    } catch (const Singular &e) {
      shift += (1 + e.column) * x[0] + 2.0 * e.pivot;
    }
  }
}
int main() {
  double x[3] = {1.0, 0.5, 2.0}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (double d : dx) std::printf("%.12g\n", d);
}
