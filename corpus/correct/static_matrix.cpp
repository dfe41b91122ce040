// C++: a fixed-size matrix class with nested loops in methods, chained by value, with a namespace.
#include "adj.h"
#include <cmath>
#include <cstdio>

namespace linear {

template <int R, int C> class Matrix {
public:
  Matrix() {
    for (int i = 0; i < R * C; i++)
      cells[i] = 0.0;
  }
  double &operator()(int i, int j) { return cells[i * C + j]; }
  double operator()(int i, int j) const { return cells[i * C + j]; }
  template <int K> Matrix<R, K> operator*(const Matrix<C, K> &o) const {
    Matrix<R, K> out;
    for (int i = 0; i < R; i++)
      for (int k = 0; k < K; k++)
        for (int j = 0; j < C; j++)
          out(i, k) += (*this)(i, j) * o(j, k);
    return out;
  }
  Matrix<C, R> transposed() const {
    Matrix<C, R> out;
    for (int i = 0; i < R; i++)
      for (int j = 0; j < C; j++)
        out(j, i) = (*this)(i, j);
    return out;
  }

private:
  double cells[R * C];
};

} // namespace linear

using linear::Matrix;

static double residual(const Matrix<3, 2> *a, const Matrix<2, 1> *x) {
  Matrix<2, 2> gram = a->transposed() * *a;
  Matrix<2, 1> image = gram * *x;
  double det = gram(0, 0) * gram(1, 1) - gram(0, 1) * gram(1, 0);
  return image(0, 0) * image(1, 0) + std::log(det);
}

int main() {
  Matrix<3, 2> a, da;
  Matrix<2, 1> x, dx;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      a(i, j) = 0.4 * i - 0.3 * j + (i == j ? 1.0 : 0.2);
  x(0, 0) = 0.7;
  x(1, 0) = -0.9;
  std::printf("%.17g\n", residual(&a, &x));
  __enzyme_autodiff<void>((void *)residual, enzyme_dup, &a, &da, enzyme_dup, &x, &dx);
  for (int i = 0; i < 3; i++)
    std::printf("%.17g %.17g\n", da(i, 0), da(i, 1));
  std::printf("%.17g %.17g\n", dx(0, 0), dx(1, 0));
  return 0;
}
