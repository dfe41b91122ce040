// The visitor pattern: an expression tree of nodes on the heap, evaluated by double dispatch.
#include "adj.h"
#include <cstdio>
#include <memory>
#include <utility>

struct Number;
struct Sum;
struct Product;
struct Visitor {
  virtual void number(const Number &) = 0;
  virtual void sum(const Sum &) = 0;
  virtual void product(const Product &) = 0;
};
struct Node {
  virtual ~Node() = default;
  virtual void accept(Visitor &v) const = 0;
};
using Ptr = std::unique_ptr<Node>;
struct Number : Node {
  double value;
  explicit Number(double v) : value(v) {}
  void accept(Visitor &v) const override { v.number(*this); }
};
struct Sum : Node {
  Ptr a, b;
  Sum(Ptr a, Ptr b) : a(std::move(a)), b(std::move(b)) {}
  void accept(Visitor &v) const override { v.sum(*this); }
};
struct Product : Node {
  Ptr a, b;
  Product(Ptr a, Ptr b) : a(std::move(a)), b(std::move(b)) {}
  void accept(Visitor &v) const override { v.product(*this); }
};
struct Evaluate : Visitor {
  double result = 0.0;
  double of(const Ptr &p) {
    p->accept(*this);
    return result;
  }
  void number(const Number &n) override { result = n.value; }
  void sum(const Sum &s) override {
    double a = of(s.a);
    result = a + of(s.b);
  }
  void product(const Product &p) override {
    double a = of(p.a);
    result = a * of(p.b);
  }
};

static double run(double x, double y) {
  Ptr inner = std::make_unique<Sum>(std::make_unique<Number>(x), std::make_unique<Number>(y * y));
  Ptr tree = std::make_unique<Product>(std::make_unique<Sum>(std::move(inner), std::make_unique<Number>(x * y)),
                                       std::make_unique<Number>(y));
  Evaluate e;
  return e.of(tree);
}

struct Both {
  double x, y;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 0.8, enzyme_out, 1.1);
  std::printf("%.17g %.17g\n", g.x, g.y);
  return 0;
}
