// C++: function templates over the scalar type and the size, differentiated in float and double.
#include "adj.h"
#include <cmath>
#include <cstdio>

template <typename T, int N> struct Matrix {
  T a[N][N];
  const T &at(int i, int j) const { return a[i][j]; }
  T &at(int i, int j) { return a[i][j]; }
};

template <typename T, int N> T determinant(const Matrix<T, N> *m) {
  Matrix<T, N> w = *m;
  T det = T(1);
  for (int k = 0; k < N; k++) {
    det *= w.at(k, k);
    for (int i = k + 1; i < N; i++) {
      T f = w.at(i, k) / w.at(k, k);
      for (int j = k; j < N; j++)
        w.at(i, j) -= f * w.at(k, j);
    }
  }
  return det;
}

template <typename T, int N> void run() {
  Matrix<T, N> m, d;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      m.at(i, j) = T(1) / T(1 + i + j) + (i == j ? T(1) : T(0));
      d.at(i, j) = T(0);
    }
  std::printf("%.9g\n", double(determinant(&m)));
  __enzyme_autodiff<void>((void *)determinant<T, N>, enzyme_dup, &m, &d);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      std::printf("%.9g\n", double(d.at(i, j)));
}

int main() {
  run<double, 3>();
  run<float, 2>();
  return 0;
}
