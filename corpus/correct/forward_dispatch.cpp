// Forward mode through virtual functions, function pointers in a table, and a lambda.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

struct Layer {
  virtual double apply(double x) const = 0;
  virtual ~Layer() = default;
};
struct Scale : Layer {
  double factor;
  explicit Scale(double f) : factor(f) {}
  double apply(double x) const override { return factor * x; }
};
struct Squash : Layer {
  double apply(double x) const override { return std::tanh(x); }
};

static double network(double w, double x, int depth) {
  std::vector<std::unique_ptr<Layer>> layers;
  for (int i = 0; i < depth; i++) {
    if (i % 2)
      layers.emplace_back(new Squash);
    else
      layers.emplace_back(new Scale(w * (i + 1)));
  }
  for (const auto &layer : layers)
    x = layer->apply(x);
  return x;
}

static double half(double x) { return 0.5 * x * x; }
static double wave(double x) { return std::sin(x); }

static double table(double x, int which) {
  double (*const functions[2])(double) = {half, wave};
  return functions[which % 2](x) + functions[(which + 1) % 2](2.0 * x);
}

template <class F> static double simpson(F f, double a, double b) {
  return (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b));
}

static double area(double rate) {
  return simpson([rate](double t) { return std::exp(-rate * t) * t; }, 0.0, 2.0);
}

int main() {
  std::printf("%.17g\n", __enzyme_fwddiff<double>((void *)network, 0.7, 1.0, 0.4, -0.5, 5));
  std::printf("%.17g\n", __enzyme_fwddiff<double>((void *)table, 0.8, 1.0, 1));
  std::printf("%.17g\n", __enzyme_fwddiff<double>((void *)area, 1.3, 1.0));
}
