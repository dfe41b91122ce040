// A tree of expression nodes on the heap, owned by unique_ptr, evaluated through virtual calls that recurse.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <memory>

struct Node {
  virtual ~Node() = default;
  virtual double value() const = 0;
};
using Ptr = std::unique_ptr<Node>;

struct Leaf : Node {
  double v;
  explicit Leaf(double v) : v(v) {}
  double value() const override { return v; }
};

struct Product : Node {
  Ptr l, r;
  Product(Ptr l, Ptr r) : l(std::move(l)), r(std::move(r)) {}
  double value() const override { return l->value() * r->value(); }
};

struct Sine : Node {
  Ptr of;
  explicit Sine(Ptr of) : of(std::move(of)) {}
  double value() const override { return std::sin(of->value()); }
};

static Ptr build(double x, int depth) {
  if (depth == 0)
    return std::make_unique<Leaf>(x);
  if (depth % 2)
    return std::make_unique<Product>(build(x, depth - 1), build(x + 0.5, depth - 1));
  return std::make_unique<Sine>(build(x * x, depth - 1));
}

static double evaluate(double x) {
  Ptr tree = build(x, 4);
  return tree->value() + 0.5 * tree->value();
}

int main() {
  for (double x = 0.2; x < 1.2; x += 0.4)
    std::printf("%.17g %.17g\n", evaluate(x), __enzyme_autodiff<double>((void *)evaluate, enzyme_out, x));
  return 0;
}
