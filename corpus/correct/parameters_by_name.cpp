// A fit whose parameters have names, values, steps and flags, and are looked up by name.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>
struct Parameter { std::string name; double value, step; bool fixed; };
struct Fit {
  std::vector<Parameter> parameters;
  void add(const std::string &name, double value) { parameters.push_back({name, value, 0.1, false}); }
  double get(const std::string &name) const {
    for (const Parameter &p : parameters)
      if (p.name == name) return p.value;
    return 0;
  }
};
static double f(const double *x, int n) {
  Fit fit;
  fit.add("norm", x[0]);
  fit.add("mean", x[1]);
  fit.add("width of the peak in the middle", x[2]);
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    double z = (0.5 * i - fit.get("mean")) / fit.get("width of the peak in the middle");
    double residual = fit.get("norm") * std::exp(-0.5 * z * z) - 0.3;
    sum += residual * residual;
  }
  return sum + n;
}
int main() {
  double x[3] = {1.5, -0.7, 2.25}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (double d : dx) std::printf("%.12g\n", d);
}
