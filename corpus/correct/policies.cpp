// Templates with functors and policies: curiously recurring base, expression templates, a variadic sum.
#include "adj.h"
#include <cmath>
#include <cstdio>

template <typename D> struct Expr {
  const D &self() const { return static_cast<const D &>(*this); }
  double operator[](int i) const { return self().at(i); }
};
struct Vec : Expr<Vec> {
  const double *p;
  explicit Vec(const double *p) : p(p) {}
  double at(int i) const { return p[i]; }
};
template <typename L, typename R, typename Op> struct Binary : Expr<Binary<L, R, Op>> {
  const L &l;
  const R &r;
  Binary(const L &l, const R &r) : l(l), r(r) {}
  double at(int i) const { return Op::apply(l[i], r[i]); }
};
struct Add {
  static double apply(double a, double b) { return a + b; }
};
struct Mul {
  static double apply(double a, double b) { return a * b; }
};
template <typename L, typename R> Binary<L, R, Add> operator+(const Expr<L> &l, const Expr<R> &r) { return {l.self(), r.self()}; }
template <typename L, typename R> Binary<L, R, Mul> operator*(const Expr<L> &l, const Expr<R> &r) { return {l.self(), r.self()}; }

template <typename F, typename... T> static double total(F f, T... t) { return (f(t) + ...); }

template <typename Policy> struct Integrator : Policy {
  double run(double x, int n) const {
    for (int i = 0; i < n; i++)
      x += 0.1 * this->rate(x);
    return x;
  }
};
struct Decay {
  double k = 1.5;
  double rate(double x) const { return -k * x; }
};
struct Growth {
  double rate(double x) const { return x * (1.0 - x); }
};

static double compute(const double *x, const double *y) {
  Vec a(x), b(y);
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    sum += (a * b + a * a)[i];
  Integrator<Decay> d;
  Integrator<Growth> g;
  return total([](double v) { return std::sin(v) * v; }, sum, x[0], y[2], d.run(x[1], 5)) + g.run(y[0], 4);
}

int main() {
  double x[3] = {0.5, -1.5, 2.0}, y[3] = {0.25, 1.0, 0.75}, dx[3] = {0}, dy[3] = {0};
  __enzyme_autodiff<double>((void *)compute, enzyme_dup, x, dx, enzyme_dup, y, dy);
  for (int i = 0; i < 3; i++)
    std::printf("%.17g %.17g\n", dx[i], dy[i]);
  return 0;
}
