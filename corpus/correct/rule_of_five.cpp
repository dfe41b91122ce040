// A matrix that owns its memory, with all five special members; temporaries are moved, and copies are deep.
#include "adj.h"
#include <cstdio>
#include <utility>

class Matrix {
  int n;
  double *a;

public:
  explicit Matrix(int n) : n(n), a(new double[n * n]()) {}
  Matrix(const Matrix &o) : n(o.n), a(new double[o.n * o.n]) {
    for (int i = 0; i < n * n; i++)
      a[i] = o.a[i];
  }
  Matrix(Matrix &&o) noexcept : n(o.n), a(o.a) { o.a = nullptr; }
  Matrix &operator=(Matrix o) {
    std::swap(n, o.n);
    std::swap(a, o.a);
    return *this;
  }
  ~Matrix() { delete[] a; }
  double &operator()(int i, int j) { return a[i * n + j]; }
  double operator()(int i, int j) const { return a[i * n + j]; }
  friend Matrix operator*(const Matrix &x, const Matrix &y) {
    Matrix z(x.n);
    for (int i = 0; i < x.n; i++)
      for (int j = 0; j < x.n; j++)
        for (int k = 0; k < x.n; k++)
          z(i, j) += x(i, k) * y(k, j);
    return z;
  }
  friend Matrix operator+(Matrix x, const Matrix &y) {
    for (int i = 0; i < x.n * x.n; i++)
      x.a[i] += y.a[i];
    return x;
  }
  double trace() const {
    double t = 0.0;
    for (int i = 0; i < n; i++)
      t += (*this)(i, i);
    return t;
  }
};

static double run(const double *x) {
  Matrix m(3);
  for (int i = 0; i < 9; i++)
    m(i / 3, i % 3) = x[i];
  Matrix p = m * m + m;
  p = p * m;
  Matrix q = p;
  q(1, 1) = x[0];
  return (p * q).trace();
}

int main() {
  double x[9] = {0.2, -0.3, 0.5, 0.1, 0.4, -0.6, 0.7, 0.2, -0.1}, dx[9] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
