// Links with a mark in their lowest bit, kept as integers: marked nodes are skipped, and unlinked.
#include "adj.h"
#include <stdint.h>
#include <stdlib.h>

struct node {
  uintptr_t next;
  double value;
};

static struct node *target(uintptr_t link) { return (struct node *)(link & ~(uintptr_t)1); }

static double sum(struct node *n) {
  double s = 0.0;
  for (; n; n = target(n->next))
    if (!(n->next & 1)) s += n->value * n->value;
  return s;
}

static double filtered(const double *x, int n) {
  struct node *head = 0;
  for (int i = 0; i < n; i++) {
    struct node *new = malloc(sizeof *new);
    new->value = x[i] * (1.0 + x[(i + 1) % n]);
    new->next = (uintptr_t)head | (uintptr_t)(i % 3 == 1);
    head = new;
  }
  double before = sum(head);
  while (head->next && target(head->next)->next & 1) {
    struct node *gone = target(head->next);
    head->next = (uintptr_t)target(gone->next);
    free(gone);
  }
  double after = sum(head) * head->value;
  while (head) {
    struct node *next = target(head->next);
    free(head);
    head = next;
  }
  return before * after;
}

int main(void) {
  double x[6] = {0.5, -1.0, 2.0, 0.25, 1.5, -0.75}, dx[6] = {0};
  __enzyme_autodiff((void *)filtered, enzyme_dup, x, dx, enzyme_const, 6);
  return dx[0] != 0.0 ? 0 : 1;
}
