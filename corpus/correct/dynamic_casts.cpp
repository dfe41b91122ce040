// Shapes that are told apart by `dynamic_cast`: of pointers and references, down a chain of classes, to the second base of
// an object, and of shared pointers.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct Named {
  int number = 7;
  virtual ~Named() = default;
};

struct Disc : Shape {
  double radius;
  explicit Disc(double r) : radius(r) {}
  double area() const override { return 3 * radius * radius; }
};

struct Ring : Disc {
  double hole;
  Ring(double r, double h) : Disc(r), hole(h) {}
  double area() const override { return Disc::area() - 3 * hole * hole; }
};

/* The shape is its second base. */
struct Box : Named, Shape {
  double width, height;
  Box(double w, double h) : width(w), height(h) {}
  double area() const override { return width * height; }
};

/* By what each of them is. */
static double perimeter(const Shape *shape) {
  if (auto ring = dynamic_cast<const Ring *>(shape)) return 6 * (ring->radius + ring->hole);
  if (auto disc = dynamic_cast<const Disc *>(shape)) return 6 * disc->radius;
  if (auto box = dynamic_cast<const Box *>(shape)) return 2 * (box->width + box->height) * box->number;
  return 0;
}

static double several(const double *x) {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Disc>(x[0]));
  shapes.push_back(std::make_unique<Ring>(x[1], x[2]));
  shapes.push_back(std::make_unique<Box>(x[0], x[2]));
  double sum = 0;
  for (auto &shape : shapes) sum += perimeter(shape.get()) * shape->area();
  return sum;
}

static void grow(Shape &shape, double by) {
  if (auto disc = dynamic_cast<Disc *>(&shape)) disc->radius *= by;
}

static double changed(const double *x) {
  Ring ring(x[0], x[1]);
  Box box(x[0], x[1]);
  grow(ring, x[2]);
  grow(box, x[2]);
  return ring.area() + box.area();
}

static double shared(const double *x) {
  std::shared_ptr<Shape> shape = std::make_shared<Ring>(x[0], x[1]);
  auto ring = std::dynamic_pointer_cast<Ring>(shape);
  auto box = std::dynamic_pointer_cast<Box>(shape);
  return (ring ? ring->hole * x[2] : x[0]) + (box ? box->width : x[1] * x[1]);
}

static bool differ(const char *name, const double *d, double first, double second, double third) {
  const double right[3] = {first, second, third};
  for (int i = 0; i < 3; i++)
    if (!(std::fabs(d[i] - right[i]) < 1e-12)) return std::printf("%s, component %d: %g\n", name, i, d[i]), true;
  return false;
}

int main() {
  double x[3] = {1.5, 2, 0.5};
  {
    /* 18 a^3 + 18 (b + c) (b^2 - c^2) + 14 (a + c) a c */
    double d[3] = {0}, a = x[0], b = x[1], c = x[2];
    __enzyme_autodiff<void>((void *)several, enzyme_dup, x, d);
    if (differ("several", d, 54 * a * a + 14 * (2 * a * c + c * c), 18 * ((b * b - c * c) + (b + c) * 2 * b),
               18 * ((b * b - c * c) - (b + c) * 2 * c) + 14 * (a * a + 2 * a * c)))
      return 1;
  }
  {
    /* 3 a^2 c^2 - 3 b^2 + a b */
    double d[3] = {0}, a = x[0], b = x[1], c = x[2];
    __enzyme_autodiff<void>((void *)changed, enzyme_dup, x, d);
    if (differ("changed", d, 6 * a * c * c + b, -6 * b + a, 6 * a * a * c)) return 1;
  }
  {
    double d[3] = {0};
    __enzyme_autodiff<void>((void *)shared, enzyme_dup, x, d);
    if (differ("shared", d, 0, x[2] + 2 * x[1], x[1])) return 1;
  }
  return 0;
}
