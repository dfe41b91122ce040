// A trie: nodes with an array of owners of their children, built and walked inside the differentiated function.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <memory>
struct Node { std::unique_ptr<Node> child[4]; double weight = 0; };
static void insert(Node *root, int key, double w) {
  for (int d = 0; d < 3; d++, key /= 4) {
    auto &c = root->child[key % 4];
    if (!c) c = std::make_unique<Node>();
    root = c.get();
  }
  root->weight += w;
}
static double walk(const Node *node, int depth) {
  double sum = node->weight * node->weight * depth;
  for (const auto &c : node->child) if (c) sum += walk(c.get(), depth + 1);
  return sum;
}
static double f(const double *x, int n) {
  Node root;
  for (int i = 0; i < n; i++) insert(&root, i * 13 % 40, x[i] * x[i]);
  return walk(&root, 0);
}

int main() {
  const int n = 5;
  double x[n], dx[n] = {0};
  for (int i = 0; i < n; i++)
    x[i] = 0.3 + 0.17 * i;
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx, enzyme_const, n);
  for (double d : dx)
    std::printf("%.17g\n", d);
}
