// Virtual functions: a hierarchy with two levels, called through references and an array of pointers to the base.
#include "adj.h"
#include <cmath>
#include <cstdio>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual double weight(double density) const { return density * area(); }
};

struct Circle : Shape {
  double r;
  explicit Circle(double r) : r(r) {}
  double area() const override { return 3.0 * r * r; }
};

struct Box : Shape {
  double a, b;
  Box(double a, double b) : a(a), b(b) {}
  double area() const override { return a * b; }
};

struct HollowBox : Box {
  double wall;
  HollowBox(double a, double b, double wall) : Box(a, b), wall(wall) {}
  double area() const override { return Box::area() - (a - wall) * (b - wall); }
  double weight(double density) const override { return std::sqrt(density) * area(); }
};

static double total(double x, double y) {
  Circle circle(x);
  Box box(x, y);
  HollowBox hollow(x + y, y * y + 1.0, 0.25 * x);
  const Shape *shapes[] = {&circle, &box, &hollow};
  double sum = 0.0;
  for (int i = 0; i < 6; i++)
    sum += shapes[i % 3]->weight(1.0 + i * y) * (i + 1);
  return sum;
}

struct Both {
  double a, b;
};

int main() {
  for (int i = 0; i < 3; i++) {
    Both g = __enzyme_autodiff<Both>((void *)total, enzyme_out, 1.1 + i, enzyme_out, 0.6);
    std::printf("%.17g %.17g\n", g.a, g.b);
  }
  return 0;
}
