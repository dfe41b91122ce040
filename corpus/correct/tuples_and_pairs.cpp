// std::tuple and std::pair: structured bindings, tie, make_pair, get, a function that returns three values.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <tuple>
#include <utility>

static std::tuple<double, double, int> polar(double x, double y) {
  return {std::sqrt(x * x + y * y), std::atan2(y, x), x < 0 ? 2 : 1};
}

static std::pair<double, double> rotate(std::pair<double, double> p, double by) {
  return std::make_pair(p.first * std::cos(by) - p.second * std::sin(by),
                        p.first * std::sin(by) + p.second * std::cos(by));
}

static double run(double x, double y) {
  auto [r, phi, sheet] = polar(x, y);
  std::pair<double, double> p{r, phi * sheet};
  for (int i = 0; i < 3; i++)
    p = rotate(p, 0.1 * r);
  double a;
  int n;
  std::tie(a, std::ignore, n) = polar(p.second, p.first);
  return a * n + std::get<0>(polar(p.first, y));
}

struct Both {
  double x, y;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 0.6, enzyme_out, -0.9);
  std::printf("%.17g %.17g\n", g.x, g.y);
  return 0;
}
