// Expression templates: a lazy vector expression is a tree of types, evaluated element by element.
#include "adj.h"
#include <cstdio>

template <class E> struct Expr {
  const E &self() const { return static_cast<const E &>(*this); }
};

struct Vec : Expr<Vec> {
  double v[4];
  double operator[](int i) const { return v[i]; }
  template <class E> Vec &operator=(const Expr<E> &e) {
    for (int i = 0; i < 4; i++)
      v[i] = e.self()[i];
    return *this;
  }
};

template <class A, class B> struct Sum : Expr<Sum<A, B>> {
  const A &a;
  const B &b;
  Sum(const A &a, const B &b) : a(a), b(b) {}
  double operator[](int i) const { return a[i] + b[i]; }
};

template <class A, class B> struct Product : Expr<Product<A, B>> {
  const A &a;
  const B &b;
  Product(const A &a, const B &b) : a(a), b(b) {}
  double operator[](int i) const { return a[i] * b[i]; }
};

template <class A, class B> Sum<A, B> operator+(const Expr<A> &a, const Expr<B> &b) { return {a.self(), b.self()}; }
template <class A, class B> Product<A, B> operator*(const Expr<A> &a, const Expr<B> &b) { return {a.self(), b.self()}; }

static double run(const double *x) {
  Vec a, b, c;
  for (int i = 0; i < 4; i++) {
    a.v[i] = x[i];
    b.v[i] = x[3 - i] * x[i];
  }
  c = a * b + b * (a + a);
  a = c * a;
  return a[0] + a[1] * c[2] + c[3];
}

int main() {
  double x[4] = {0.5, -1.2, 0.8, 0.3}, dx[4] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
