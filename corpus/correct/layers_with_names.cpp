// A layer has a name; layers by std::unique_ptr and virtual functions.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>
struct Layer {
  std::string name;
  explicit Layer(std::string n) : name(std::move(n)) {}
  virtual ~Layer() = default;
  virtual double apply(double x) const = 0;
};
struct Scale : Layer { double k; Scale(const std::string &n, double k) : Layer(n), k(k) {} double apply(double x) const override { return k * x; } };
struct Tanh : Layer { using Layer::Layer; double apply(double x) const override { return std::tanh(x); } };
static double f(const double *w, int n) {
  std::vector<std::unique_ptr<Layer>> net;
  for (int i = 0; i < n; i++) {
    net.push_back(std::make_unique<Scale>("scale" + std::to_string(i), w[i]));
    net.push_back(std::make_unique<Tanh>("tanh"));
  }
  double y = 0.5;
  for (auto &l : net) y = l->apply(y);
  return y;
}
int main() {
  double x[3] = {0.7, 1.3, 0.2}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (double d : dx) std::printf("%.12g\n", d);
}
