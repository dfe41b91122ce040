// Forward mode of C++: a standard vector that grows, a vector of vectors, a class with operators, and a template.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

struct Dual2 {
  double a, b;
  Dual2 operator*(const Dual2 &o) const { return {a * o.a - b * o.b, a * o.b + b * o.a}; }
  Dual2 operator+(const Dual2 &o) const { return {a + o.a, b + o.b}; }
};

static double polynomial(const std::vector<double> &c, double x) {
  double y = 0;
  for (std::size_t i = c.size(); i-- > 0;)
    y = y * x + c[i];
  return y;
}

static double triangle(double x, int n) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < n; i++) {
    std::vector<double> row;
    for (int j = 0; j <= i; j++)
      row.push_back(j == 0 || j == i ? std::sin(x) : rows[i - 1][j - 1] + x * rows[i - 1][j]);
    rows.push_back(std::move(row));
  }
  double sum = 0;
  for (const auto &row : rows)
    for (double v : row)
      sum += v * v;
  return std::sqrt(sum);
}

template <class T> T iterate(T z, T c, int n) {
  for (int i = 0; i < n; i++)
    z = z * z + c;
  return z;
}

static double orbit(double re, double im) {
  Dual2 z = iterate(Dual2{re, im}, Dual2{0.1, -0.2}, 4);
  return z.a * z.b;
}

int main() {
  std::vector<double> c{1.0, 2.0, 3.0}, d{0.5, 0.0, -1.0};
  std::printf("%.17g\n", __enzyme_fwddiff<double>((void *)polynomial, enzyme_dup, &c, &d, enzyme_dup, 0.7, 1.0));
  std::printf("%.17g\n", __enzyme_fwddiff<double>((void *)triangle, 0.7, 1.0, 5));
  std::printf("%.17g\n", __enzyme_fwddiff<double>((void *)orbit, 0.4, 1.0, 0.3, -1.0));
}
