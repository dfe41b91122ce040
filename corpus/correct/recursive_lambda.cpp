// A lambda that is handed itself, a mutable one that counts, and one that captures by move.
#include "adj.h"
#include <cstdio>
#include <utility>
#include <vector>

static double run(double x, double y) {
  auto tree = [](auto &&self, int depth, double v) -> double {
    if (depth == 0)
      return v * v;
    return self(self, depth - 1, v * 0.5) + self(self, depth - 1, v + 0.25) * v;
  };
  double state = x;
  auto next = [state, y]() mutable {
    state = state * y + 0.1;
    return state;
  };
  double sum = 0.0;
  for (int i = 0; i < 4; i++)
    sum += next() * next();
  std::vector<double> buffer = {x, y, x * y};
  auto owner = [b = std::move(buffer)](int i) { return b[i] * b[(i + 1) % 3]; };
  return tree(tree, 3, x) + sum + owner(2) + owner(0);
}

struct Both {
  double x, y;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 0.6, enzyme_out, 0.8);
  std::printf("%.17g %.17g\n", g.x, g.y);
  return 0;
}
