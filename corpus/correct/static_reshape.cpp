// Arrays of fixed size given another shape: a flat array of nine seen as a matrix by copying, by a view of the same memory, and by
// slicing, sizes being parameters of templates.
#include "adj.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

template <int rows, int columns> struct Matrix {
  std::array<double, rows * columns> data;
  double &operator()(int i, int j) { return data[i + rows * j]; }
  double operator()(int i, int j) const { return data[i + rows * j]; }
};

template <int rows, int columns, std::size_t n> static Matrix<rows, columns> reshape(const std::array<double, n> &flat) {
  static_assert(rows * columns == n);
  Matrix<rows, columns> m;
  std::memcpy(&m, flat.data(), sizeof m);
  return m;
}

template <int a, int b, int c> static Matrix<a, c> operator*(const Matrix<a, b> &x, const Matrix<b, c> &y) {
  Matrix<a, c> z{};
  for (int i = 0; i < a; i++)
    for (int j = 0; j < c; j++)
      for (int k = 0; k < b; k++)
        z(i, j) += x(i, k) * y(k, j);
  return z;
}

template <int n> static double shaped(const double *x) {
  std::array<double, n * n> flat;
  std::copy_n(x, n * n, flat.begin());
  auto square = reshape<n, n>(flat);
  auto row = reshape<1, n * n>(flat);
  auto column = reshape<n * n, 1>(row.data);
  auto product = square * square;
  double sum = (row * column)(0, 0);
  for (int i = 0; i < n; i++)
    sum += product(i, i) * square(n - 1 - i, i);
  return sum;
}

int main() {
  double x[16], dx[16] = {0};
  for (int i = 0; i < 16; i++)
    x[i] = 0.1 * ((7 * i) % 16) - 0.5;
  __enzyme_autodiff<void>((void *)shaped<2>, enzyme_dup, x, dx);
  __enzyme_autodiff<void>((void *)shaped<3>, enzyme_dup, x, dx);
  __enzyme_autodiff<void>((void *)shaped<4>, enzyme_dup, x, dx);
  for (double d : dx)
    std::printf("%.15g\n", d);
  return 0;
}
