// Multiple and virtual inheritance, member function pointers, dynamic_cast.
#include "adj.h"
#include <cmath>
#include <cstdio>

struct Base {
  double scale;
  explicit Base(double s) : scale(s) {}
  virtual ~Base() = default;
  virtual double f(double x) const { return scale * x; }
};
struct Left : virtual Base {
  double l;
  explicit Left(double l) : Base(l), l(l) {}
  double f(double x) const override { return l * x * x; }
};
struct Extra {
  double e;
  explicit Extra(double e) : e(e) {}
  virtual ~Extra() = default;
  virtual double g(double x) const { return e + x; }
};
struct Both : Left, Extra {
  Both(double s, double l, double e) : Base(s), Left(l), Extra(e) {}
  double g(double x) const override { return e * f(x) + scale; }
};
struct Plain {
  double k;
  double sine(double x) const { return std::sin(k * x); }
  double line(double x) const { return k * x; }
};

static double use(double x, double y) {
  Both both(x, y, x * y);
  Left left(y);
  const Extra &extra = both;
  const Base *bases[2] = {&both, &left};
  double sum = extra.g(0.5);
  for (int i = 0; i < 4; i++)
    sum += bases[i % 2]->f(0.5 + i) * bases[i % 2]->scale;
  double (Plain::*method)(double) const = sum > 100.0 ? &Plain::sine : &Plain::line;
  Plain p{x};
  return sum + (p.*method)(y);
}

struct Pair {
  double a, b;
};

int main() {
  for (double y = 0.7; y < 20.0; y *= 10.0) {
    Pair g = __enzyme_autodiff<Pair>((void *)use, enzyme_out, 1.2, enzyme_out, y);
    std::printf("%.17g %.17g\n", g.a, g.b);
  }
  return 0;
}
