// A closure whose captured variable lives in a box on the heap: each call puts a new tuple into the box, which others hold as well.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <tuple>

using State = std::tuple<double, double>;

static double run(double a, double b, int steps) {
  auto box = std::make_shared<std::unique_ptr<State>>(std::make_unique<State>(a, b));
  std::function<double(double)> step = [box](double t) {
    auto [p, q] = **box;
    *box = std::make_unique<State>(p + t * q, q - t * std::sin(p));
    return p * q;
  };
  auto shift = [box](double by) { std::get<0>(**box) += by; };
  double sum = 0.0;
  for (int i = 0; i < steps; i++) {
    sum += step(0.1 * (i + 1));
    if (i % 2)
      shift(b * 0.25);
  }
  const auto &[p, q] = **box;
  return sum + p * p - q;
}

struct Both {
  double a, b;
};

int main() {
  Both d = __enzyme_autodiff<Both>((void *)run, enzyme_out, 0.6, enzyme_out, -0.9, enzyme_const, 5);
  std::printf("%.15g %.15g\n", d.a, d.b);
  return 0;
}
