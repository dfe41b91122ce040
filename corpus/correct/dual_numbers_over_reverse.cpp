// Dual numbers with several partials over reverse mode: the function is a template, the values and all partials of its result are
// differentiated, so every second derivative comes out.
#include "adj.h"
#include <array>
#include <cmath>
#include <cstdio>

template <int n> struct Dual {
  double value;
  std::array<double, n> partial;
};
template <int n> static Dual<n> operator+(const Dual<n> &a, const Dual<n> &b) {
  Dual<n> r{a.value + b.value, {}};
  for (int i = 0; i < n; i++)
    r.partial[i] = a.partial[i] + b.partial[i];
  return r;
}
template <int n> static Dual<n> operator*(const Dual<n> &a, const Dual<n> &b) {
  Dual<n> r{a.value * b.value, {}};
  for (int i = 0; i < n; i++)
    r.partial[i] = a.value * b.partial[i] + b.value * a.partial[i];
  return r;
}
template <int n> static Dual<n> exp(const Dual<n> &a) {
  Dual<n> r{std::exp(a.value), {}};
  for (int i = 0; i < n; i++)
    r.partial[i] = r.value * a.partial[i];
  return r;
}

template <class T> static void model(const T *x, T &result) { result = exp(x[0] * x[1]) + x[2] * x[2] * x[0] + x[1] * x[2]; }

using Triple = Dual<3>;

int main() {
  Triple x[3] = {{0.5, {1, 0, 0}}, {-0.8, {0, 1, 0}}, {1.2, {0, 0, 1}}}, y;
  double h[3][3];
  for (int row = 0; row < 3; row++) {
    Triple dx[3] = {}, dy = {};
    dy.partial[row] = 1.0;
    __enzyme_autodiff<void>((void *)model<Triple>, enzyme_dup, x, dx, enzyme_dup, &y, &dy);
    for (int i = 0; i < 3; i++) {
      h[row][i] = dx[i].value;
      std::printf("%.15g %.15g\n", dx[i].value, dx[i].partial[row]);
    }
  }
  return std::fabs(h[0][1] - h[1][0]) > 1e-14 || std::fabs(h[0][2] - h[2][0]) > 1e-14 || std::fabs(h[1][2] - h[2][1]) > 1e-14;
}
