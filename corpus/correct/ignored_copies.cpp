// A virtual function takes a structure by value; one of its bodies makes no use of it, and is called as it is.
#include "adj.h"
#include <cstdio>

struct Vector {
  double x, y, z;
};
struct Material {
  virtual ~Material() = default;
  virtual double emitted(Vector) const { return 0; }
};
struct Lamp : Material {
  double power;
  explicit Lamp(double power) : power(power) {}
  double emitted(Vector normal) const override { return power * (1.5 + normal.y * normal.y); }
};
struct Counter : Material {
  mutable int calls = 0;
  double emitted(Vector normal) const override { return normal.z > 0 ? ++calls : 0; }
};

static double f(const double *x) {
  Material dark;
  Lamp lamp(x[0]);
  Counter counter;
  const Material *all[3] = {&dark, &lamp, &counter};
  double sum = 0;
  for (const Material *one : all) sum += one->emitted(Vector{x[0], x[1], x[2]}) * x[1];
  return sum;
}

int main() {
  double x[3] = {1, 2, 3}, dx[3] = {};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx);
  std::printf("%g %g %g\n", dx[0], dx[1], dx[2]);
}
