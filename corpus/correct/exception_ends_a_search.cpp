// Recursion: a search that is ended by an exception with what it has found.
#include "adj.h"
#include <cmath>
#include <cstdio>
struct Found { double value; int depth; };
struct Node { double w; Node *left, *right; };
static void search(const Node *n, double sum, double target, int depth) {
  if (!n) return;
  sum += n->w * n->w;
  if (sum > target) throw Found{sum, depth};
  search(n->left, sum, target, depth + 1);
  search(n->right, sum, target, depth + 1);
}
static double f(const double *w, int n) {
  Node nodes[7];
  for (int i = 0; i < n; i++) {
    nodes[i].w = w[i];
    nodes[i].left = nodes[i].right = nullptr;
    if (i > 0) (i % 2 ? nodes[(i - 1) / 2].left : nodes[(i - 1) / 2].right) = &nodes[i];
  }
  double s = 0;
  for (double t = 1.0; t < 20.0; t *= 2.0) {
    try { search(nodes, 0.0, t, 0); s += 1.0; }
    catch (const Found &found) { s += found.value * (1 + found.depth); }
  }
  return s;
}
int main() {
  double w[7] = {0.5, 1.0, 1.5, 2.0, 0.3, 2.5, 3.0}, dw[7] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, w, dw, enzyme_const, 7);
  for (double d : dw) std::printf("%.12g\n", d);
}
