// Forward-mode differentiation by operator overloading, itself differentiated: a second derivative.
#include "adj.h"
#include <cmath>
#include <cstdio>

struct Dual {
  double v, d;
  Dual(double v, double d = 0.0) : v(v), d(d) {}
};
static Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
static Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
static Dual operator/(Dual a, Dual b) { return {a.v / b.v, (a.d * b.v - a.v * b.d) / (b.v * b.v)}; }
static Dual sin(Dual a) { return {std::sin(a.v), std::cos(a.v) * a.d}; }

template <class T> static T f(T x, T y) {
  using std::sin;
  return sin(x * y) / (x + T(2.0)) * y;
}

static double slope(double x, double y) { return f(Dual(x, 1.0), Dual(y)).d; }

struct Both {
  double x, y;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)slope, enzyme_out, 0.7, enzyme_out, 1.2);
  std::printf("%.17g %.17g\n", g.x, g.y);
  return 0;
}
