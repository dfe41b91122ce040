// A computation graph of nodes that are shared between expressions.
#include "adj.h"
#include <cstdio>
#include <memory>

struct Node {
  virtual ~Node() = default;
  virtual double value() const = 0;
};
using Ref = std::shared_ptr<const Node>;

struct Leaf : Node {
  double v;
  explicit Leaf(double v) : v(v) {}
  double value() const override { return v; }
};
struct Sum : Node {
  Ref a, b;
  Sum(Ref a, Ref b) : a(a), b(b) {}
  double value() const override { return a->value() + b->value(); }
};
struct Product : Node {
  Ref a, b;
  Product(Ref a, Ref b) : a(a), b(b) {}
  double value() const override { return a->value() * b->value(); }
};

static double run(double x, double y) {
  Ref lx = std::make_shared<Leaf>(x), ly = std::make_shared<Leaf>(y);
  Ref s = std::make_shared<Sum>(lx, ly);
  Ref p = std::make_shared<Product>(s, lx);
  Ref q = std::make_shared<Product>(p, s);
  return q->value() + p->value();
}

struct Both {
  double x, y;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 1.3, enzyme_out, 0.6);
  std::printf("%.17g %.17g\n", g.x, g.y);
  return 0;
}
