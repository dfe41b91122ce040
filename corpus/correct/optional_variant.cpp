// std::optional, std::variant with visit, std::pair, std::tuple and std::tie.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

struct Linear {
  double a, b;
};
struct Power {
  double c, n;
};
using Law = std::variant<Linear, Power>;

static double value_of(const Law &law, double x) {
  if (auto l = std::get_if<Linear>(&law))
    return l->a * x + l->b;
  auto p = std::get<Power>(law);
  return p.c * std::pow(x, p.n);
}

static std::optional<double> root(double x) {
  if (x < 0.0)
    return std::nullopt;
  return std::sqrt(x);
}

static std::pair<double, double> divide(double a, double b) { return {a / b, a - b}; }

static double mixed(double x, double y) {
  Law laws[2] = {Linear{x, y}, Power{y, x}};
  double sum = 0.0;
  for (int i = 0; i < 4; i++)
    sum += value_of(laws[i % 2], 1.0 + 0.5 * i);
  double quotient, difference;
  std::tie(quotient, difference) = divide(sum, x);
  std::tuple<double, int, double> t(quotient, 3, difference * y);
  sum += std::get<0>(t) * std::get<1>(t) + std::get<2>(t);
  return sum + root(-x).value_or(y * y) + root(x + y).value();
}

struct Both {
  double a, b;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)mixed, enzyme_out, 1.2, enzyme_out, 0.7);
  std::printf("%.17g %.17g\n", g.a, g.b);
  return 0;
}
