// adj-exit: 3
// adj-message: an integer that may be a pointer is stored where floats are known to lie
// adj-levels: O1,O2,O3
// Pointers with a tag in their lowest bit: leaves and inner nodes of a tree.
#include "adj.h"
#include <stdint.h>

struct leaf {
  double value;
};
struct inner {
  uintptr_t left, right;
  double weight;
};

static uintptr_t of_leaf(struct leaf *l) { return (uintptr_t)l | 1; }
static uintptr_t of_inner(struct inner *i) { return (uintptr_t)i; }

static double evaluate(uintptr_t node) {
  if (node & 1) {
    const struct leaf *l = (const struct leaf *)(node & ~(uintptr_t)1);
    return l->value * l->value;
  }
  const struct inner *i = (const struct inner *)node;
  return i->weight * evaluate(i->left) + evaluate(i->right) / (1.0 + i->weight);
}

static double tree(const double *x) {
  struct leaf leaves[4];
  struct inner nodes[3];
  for (int i = 0; i < 4; i++) leaves[i].value = x[i];
  for (int i = 0; i < 2; i++) {
    nodes[i].left = of_leaf(&leaves[2 * i]);
    nodes[i].right = of_leaf(&leaves[2 * i + 1]);
    nodes[i].weight = x[4 + i];
  }
  nodes[2].left = of_inner(&nodes[0]);
  nodes[2].right = of_inner(&nodes[1]);
  nodes[2].weight = x[6];
  return evaluate(of_inner(&nodes[2]));
}

int main(void) {
  double x[7] = {1.0, -2.0, 0.5, 1.5, 0.25, 0.75, 1.25}, dx[7] = {0};
  __enzyme_autodiff((void *)tree, enzyme_dup, x, dx);
  return dx[0] != 0.0 ? 0 : 1;
}
