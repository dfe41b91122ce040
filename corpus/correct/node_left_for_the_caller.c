/* Nodes are pushed on a list of the caller, taken off again and kept for later: what the function allocates stays, and
 * so does its shadow. Some are freed in the call, some by the caller. */
#include "adj.h"
#include <math.h>
#include <stdlib.h>

struct node {
  double value;
  struct node *next;
};

struct list {
  struct node *head, *spare;
};

static struct node *get(struct list *l) {
  struct node *node = l->spare;
  if (node)
    l->spare = node->next;
  else
    node = malloc(sizeof *node);
  return node;
}

static double folded(struct list *l, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    struct node *node = get(l);
    node->value = x[i] * x[i];
    node->next = l->head;
    l->head = node;
  }
  double sum = 0;
  for (struct node *node = l->head; node; node = node->next) sum = sum * (1.1 + node->value) + node->value;
  for (int i = 0; l->head; i++) {
    struct node *node = l->head;
    l->head = node->next;
    if (i % 3 == 2) {
      free(node);
    } else {
      node->next = l->spare;
      l->spare = node;
    }
  }
  return sum;
}

static void drop(struct node *node) {
  while (node) {
    struct node *next = node->next;
    free(node);
    node = next;
  }
}

int main(void) {
  const double x[4] = {0.7, 1.1, 0.9, 0.3};
  struct list l = {0}, d = {0};
  /* Nodes with a shadow are freed by later calls: the shadow of what the caller had before a call is the caller's. */
  double dx[4] = {0};
  __enzyme_autodiff((void *)folded, enzyme_dup, &l, &d, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 4; i++) {
    double up[4], down[4];
    for (int k = 0; k < 4; k++) up[k] = down[k] = x[k];
    up[i] += 1e-5;
    down[i] -= 1e-5;
    struct list a = {0}, b = {0};
    double slope = (folded(&a, up, 4) - folded(&b, down, 4)) / 2e-5;
    drop(a.spare);
    drop(b.spare);
    if (fabs(slope - dx[i]) > 1e-7) return 1;
  }
  drop(l.spare);
  drop(d.spare);
  return 0;
}
