// std::array: by value, nested, as a structure's member, through iterators.
#include "adj.h"
#include <array>
#include <cstdio>
#include <numeric>

using Vec = std::array<double, 3>;
using Mat = std::array<Vec, 3>;

static Vec apply(const Mat &m, Vec v) {
  Vec out{};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[i] += m[i][j] * v[j];
  return out;
}

static Mat outer(Vec a, Vec b) {
  Mat m;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m[i][j] = a[i] * b[j] + (i == j ? 1.0 : 0.0);
  return m;
}

static double run(Vec a, const Vec *b) {
  Mat m = outer(a, *b);
  Vec v = *b;
  for (int i = 0; i < 4; i++)
    v = apply(m, v);
  return std::inner_product(v.begin(), v.end(), a.begin(), 0.0);
}

static double call(const Vec *ab) { return run(ab[0], ab + 1); }

int main() {
  Vec x[2] = {{0.3, -0.5, 0.7}, {0.2, 0.6, -0.1}}, dx[2] = {};
  __enzyme_autodiff<double>((void *)call, enzyme_dup, x, dx);
  for (const Vec &d : dx)
    std::printf("%.17g %.17g %.17g\n", d[0], d[1], d[2]);
  return 0;
}
