// An abstract base class, two levels of derivation, a call of the base class's version, and a factory.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

struct Layer {
  virtual ~Layer() = default;
  virtual double apply(double x) const { return x; }
};
struct Scale : Layer {
  double w;
  explicit Scale(double w) : w(w) {}
  double apply(double x) const override { return w * Layer::apply(x); }
};
struct Shifted : Scale {
  double b;
  Shifted(double w, double b) : Scale(w), b(b) {}
  double apply(double x) const override { return Scale::apply(x) + b; }
};
struct Squash : Layer {
  double apply(double x) const override { return std::tanh(x); }
};

static std::unique_ptr<Layer> make(int kind, double w) {
  if (kind == 0)
    return std::make_unique<Scale>(w);
  if (kind == 1)
    return std::make_unique<Shifted>(w, w * w);
  return std::make_unique<Squash>();
}

static double network(const double *w, int n) {
  std::vector<std::unique_ptr<Layer>> layers;
  for (int i = 0; i < n; i++)
    layers.push_back(make(i % 3, w[i]));
  double x = w[0];
  for (const auto &layer : layers)
    x = layer->apply(x);
  return x;
}

int main() {
  double w[6] = {0.7, -0.6, 0.4, 1.3, 0.9, -0.2}, dw[6] = {0};
  __enzyme_autodiff<double>((void *)network, enzyme_dup, w, dw, enzyme_const, 6);
  for (double d : dw)
    std::printf("%.17g\n", d);
  return 0;
}
