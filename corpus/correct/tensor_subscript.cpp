// Tensors whose operator[] gives back a reference, called for tensors of constants and for active ones: the same instantiation returns
// an address without a shadow in one place and with one in another.
#include "adj.h"
#include <cmath>
#include <cstdio>

template <int n> struct vector {
  double of[n];
  double &operator[](int i) { return of[i]; }
  const double &operator[](int i) const { return of[i]; }
};

template <int n, int m> struct tensor {
  vector<m> row[n];
  vector<m> &operator[](int i) { return row[i]; }
  const vector<m> &operator[](int i) const { return row[i]; }
};

template <int n, int m> static vector<n> operator*(const tensor<n, m> &a, const vector<m> &x) {
  vector<n> y{};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i] += a[i][j] * x[j];
  return y;
}

template <int n> static tensor<n, n> identity() {
  tensor<n, n> t{};
  for (int i = 0; i < n; i++)
    t[i][i] = 1.0;
  return t;
}

// The energy of a deformed cell, by quadrature with constant weights and constant shape functions.
static double energy(const vector<6> &displacement, double stiffness, const vector<3> &weight) {
  tensor<2, 3> shape{};
  for (int j = 0; j < 3; j++) {
    shape[0][j] = 0.5 * j - 0.5;
    shape[1][j] = j == 1 ? 1.0 : -0.5;
  }
  double sum = 0.0;
  for (int q = 0; q < 3; q++) {
    tensor<2, 2> gradient = identity<2>();
    for (int c = 0; c < 2; c++) {
      vector<3> part{};
      for (int j = 0; j < 3; j++)
        part[j] = displacement[2 * j + c] * (1.0 + 0.1 * q);
      vector<2> slope = shape * part;
      for (int d = 0; d < 2; d++)
        gradient[c][d] += slope[d];
    }
    double volume = gradient[0][0] * gradient[1][1] - gradient[0][1] * gradient[1][0];
    double trace = 0.0;
    for (int c = 0; c < 2; c++)
      for (int d = 0; d < 2; d++)
        trace += gradient[c][d] * gradient[c][d];
    sum += weight[q] * (stiffness * (trace - 2.0) + std::log(volume) * std::log(volume));
  }
  return sum;
}

int main() {
  vector<6> u = {{0.05, -0.02, 0.11, 0.03, -0.04, 0.08}}, du{};
  vector<3> weight = {{0.3, 0.4, 0.3}}, dweight{};
  double dstiffness = __enzyme_autodiff<double>((void *)energy, enzyme_dup, &u, &du, enzyme_out, 1.5, enzyme_const, &weight);
  std::printf("%.15g\n", dstiffness);
  for (int i = 0; i < 6; i++)
    std::printf("%.15g\n", du[i]);
  __enzyme_autodiff<void>((void *)energy, enzyme_dup, &u, &du, enzyme_const, 1.5, enzyme_dup, &weight, &dweight);
  for (int i = 0; i < 3; i++)
    std::printf("%.15g\n", dweight[i]);
  return 0;
}
