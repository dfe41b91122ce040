// Containers and smart pointers are unwound; an exception that holds a vector.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>
struct Partial { std::vector<double> done; double rest; };
static std::vector<double> process(const std::vector<double> &in) {
  std::vector<double> out;
  auto scale = std::make_unique<double>(in[0]);
  for (double v : in) {
    std::vector<double> scratch(3, v);
    if (v > 3.0) throw Partial{out, v};
    out.push_back(*scale * scratch[1] * scratch[2]);
  }
  return out;
}
static double f(const double *x, int n) {
  std::vector<double> v(x, x + n);
  try {
    double s = 0;
    for (double w : process(v)) s += w;
    return s;
  } catch (const Partial &p) {
    double s = p.rest * p.rest * p.rest;
    for (double w : p.done) s += 2.0 * w;
    return s;
  }
}
int main() {
  double x[4] = {1.0, 2.0, 3.5, 1.0}, dx[4] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (double d : dx) std::printf("%.12g\n", d);
  double y[3] = {1.5, 2.0, 2.5}, dy[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, y, dy, enzyme_const, 3);
  for (double d : dy) std::printf("%.12g\n", d);
}
