// C++: an arithmetic class with overloaded operators, references and const methods.
#include "adj.h"
#include <cmath>
#include <cstdio>

struct Vec {
  double x, y;
  Vec operator+(const Vec &o) const { return {x + o.x, y + o.y}; }
  Vec operator-(const Vec &o) const { return {x - o.x, y - o.y}; }
  Vec operator*(double s) const { return {x * s, y * s}; }
  Vec &operator+=(const Vec &o) {
    x += o.x;
    y += o.y;
    return *this;
  }
  double dot(const Vec &o) const { return x * o.x + y * o.y; }
  double norm() const { return std::sqrt(dot(*this)); }
};

static void scale(Vec &v, const double &by) {
  v.x *= by;
  v.y *= by;
}

static double path(const Vec *points, int n, double stretch) {
  Vec at = points[0];
  double length = 0.0;
  for (int i = 1; i < n; i++) {
    Vec step = points[i] - at;
    scale(step, stretch);
    length += step.norm();
    at += step * 0.5;
    at = at + points[i] * 0.1;
  }
  return length + at.dot(points[0]);
}

int main() {
  Vec p[4] = {{0.1, 0.2}, {1.0, 0.4}, {1.5, 1.7}, {-0.3, 2.0}}, d[4] = {};
  std::printf("%.17g\n", path(p, 4, 1.1));
  double ds = __enzyme_autodiff<double>((void *)path, enzyme_dup, p, d, enzyme_const, 4, enzyme_out, 1.1);
  std::printf("%.17g\n", ds);
  for (const Vec &v : d)
    std::printf("%.17g %.17g\n", v.x, v.y);
  return 0;
}
