// A hand-written gradient over a linked list: shadow nodes are walked in step with primal nodes.
#include "adj.h"
#include <stdio.h>

struct node {
  double value;
  struct node *next;
};

static double tail_weighted(const struct node *n) {
  double sum = 0.0;
  for (int k = 1; n; n = n->next, k++)
    sum += k * n->value * n->value;
  return sum;
}

static void dtail_weighted(const struct node *n, struct node *d, double seed) {
  for (int k = 1; n; n = n->next, d = d->next, k++)
    d->value += 2.0 * k * n->value * seed;
}

int main(void) {
  struct node a[4], d[4];
  for (int i = 0; i < 4; i++) {
    a[i].value = 0.5 - 0.3 * i;
    d[i].value = 0.0;
    a[i].next = i < 3 ? &a[i + 1] : NULL;
    d[i].next = i < 3 ? &d[i + 1] : NULL;
  }
  __adj_check_gradient((void *)tail_weighted, (void *)dtail_weighted, enzyme_dup, a, d, 1.0);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", d[i].value);
  return 0;
}
