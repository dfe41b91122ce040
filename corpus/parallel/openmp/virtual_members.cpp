// Threads and calls by pointers to members, of which some are of virtual functions.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <thread>

enum { N = 8 };

struct Shape {
  explicit Shape(const double *x) : x(x) {
  }
  virtual ~Shape() {
  }
  virtual void run() {
    out = x[0] * x[0];
  }
  void plain() {
    out = std::sin(x[1]);
  }
  const double *x;
  double out = 0;
};

struct Square : Shape {
  using Shape::Shape;
  void run() override {
    out = x[0] * x[1];
  }
};

static double f(const double *x, int n) {
  Square square(x), chosen(x + 2);
  Shape shape(x + 1);
  std::thread one(&Shape::run, static_cast<Shape *>(&square)), two(&Shape::plain, &shape);
  one.join();
  two.join();
  double sum = square.out * shape.out;
  void (Shape::*what)() = n > 4 ? &Shape::run : &Shape::plain;
  Shape *at = &chosen;
  (at->*what)();
  return sum + chosen.out * x[n - 1];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
