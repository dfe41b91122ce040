// shared_ptr and unique_ptr: a graph with shared nodes, a custom deleter, an array behind a unique_ptr.
#include "adj.h"
#include <cstdio>
#include <memory>

struct Node {
  double value;
  std::shared_ptr<Node> left, right;
  double sum() const { return value + (left ? left->sum() * value : 0.0) + (right ? right->sum() : 0.0); }
};

static double graph(double x, double y) {
  auto leaf = std::make_shared<Node>(Node{x * y, nullptr, nullptr});
  auto a = std::make_shared<Node>(Node{x, leaf, nullptr});
  auto root = std::make_shared<Node>(Node{y, a, leaf});
  leaf->value += 0.5 * y;
  std::unique_ptr<double[]> buffer(new double[4]);
  for (int i = 0; i < 4; i++)
    buffer[i] = root->sum() * (i + 1) - x;
  std::unique_ptr<Node> single = std::make_unique<Node>();
  single->value = buffer[3] * buffer[0];
  root.reset();
  return single->value + a->left->value;
}

struct Both {
  double a, b;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)graph, enzyme_out, 1.2, enzyme_out, 0.7);
  std::printf("%.17g %.17g\n", g.a, g.b);
  return 0;
}
