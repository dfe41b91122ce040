// A matrix as a vector of vectors, and a vector of structures; both are passed by value and returned.
#include "adj.h"
#include <cstdio>
#include <vector>

using Matrix = std::vector<std::vector<double>>;

struct Particle {
  double x, v;
  int id;
};

static Matrix product(const Matrix &a, const Matrix &b) {
  Matrix c(a.size(), std::vector<double>(b[0].size(), 0.0));
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < b[0].size(); j++)
      for (std::size_t k = 0; k < b.size(); k++)
        c[i][j] += a[i][k] * b[k][j];
  return c;
}

static std::vector<Particle> step(std::vector<Particle> ps, double h) {
  for (auto &p : ps) {
    p.v -= h * p.x;
    p.x += h * p.v * (p.id + 1);
  }
  return ps;
}

static double run(const double *x) {
  Matrix m = {{x[0], x[1]}, {x[2], x[3]}};
  Matrix p = product(m, product(m, m));
  std::vector<Particle> ps;
  for (int i = 0; i < 3; i++)
    ps.push_back({p[0][i % 2], p[1][1 - i % 2], i});
  for (int i = 0; i < 4; i++)
    ps = step(ps, 0.1 * x[0]);
  double sum = 0.0;
  for (const auto &q : ps)
    sum += q.x * q.x + q.v;
  return sum;
}

int main() {
  double x[4] = {0.5, -0.4, 0.3, 0.8}, dx[4] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
