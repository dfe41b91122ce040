// A singly linked list on the heap with a shadow list beside it; the walk has an unknown length.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct node {
  double value;
  struct node *next;
};

static double product_sum(const struct node *n) {
  double sum = 0.0, running = 1.0;
  while (n) {
    running *= n->value;
    sum += running;
    n = n->next;
  }
  return sum;
}

static struct node *push(struct node *next, double value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  n->next = next;
  return n;
}

static void destroy(struct node *n) {
  while (n) {
    struct node *next = n->next;
    free(n);
    n = next;
  }
}

int main(void) {
  struct node *list = NULL, *shadow = NULL;
  for (int i = 0; i < 9; i++) {
    list = push(list, 0.5 + 0.2 * i);
    shadow = push(shadow, 0.0);
  }
  printf("%.17g\n", product_sum(list));
  __enzyme_autodiff((void *)product_sum, enzyme_dup, list, shadow);
  for (struct node *n = shadow; n; n = n->next)
    printf("%.17g\n", n->value);
  destroy(list);
  destroy(shadow);
  return 0;
}
