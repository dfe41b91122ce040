// std::bind with active values that are bound, pointers to members, and references that are wrapped.
#include "adj.h"
#include <cstdio>
#include <functional>

static double line(double slope, double x, double offset) { return slope * x + offset; }

struct spring {
  double stiffness;
  double energy(double x) const { return 0.5 * stiffness * x * x; }
};

static double chain(const double *x, int n) {
  auto bound = std::bind(line, x[0], std::placeholders::_1, x[1]);
  std::function<double(double)> kept = bound;
  spring s{x[2]};
  auto energy = std::mem_fn(&spring::energy);
  std::function<double(const spring &, double)> member = &spring::energy;
  auto wrapped = std::cref(s);
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += kept(x[i]) * energy(s, x[i]);
  return sum + member(s, x[0]) + wrapped.get().energy(x[1]);
}

int main() {
  double x[4], dx[4] = {};
  for (int i = 0; i < 4; i++)
    x[i] = 0.75 + 0.25 * i;
  __enzyme_autodiff<void>((void *)chain, enzyme_dup, x, dx, enzyme_const, 4);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
