// Forward mode through a list that the function builds, reverses and frees: every node has a shadow node.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int order;
  double value;
  struct node *next;
};

static struct node *push(struct node *head, double value, int order) {
  struct node *n = malloc(sizeof *n);
  n->order = order;
  n->value = value;
  n->next = head;
  return n;
}

static struct node *reversed(struct node *head) {
  struct node *done = NULL;
  while (head) {
    struct node *next = head->next;
    head->next = done;
    done = head;
    head = next;
  }
  return done;
}

static double weigh(const struct node *n) {
  return n ? n->value * (n->order + 1) + 0.5 * weigh(n->next) * n->value : 1.0;
}

static void release(struct node *n) {
  if (n) {
    release(n->next);
    free(n);
  }
}

static double chain(const double *x, int n) {
  struct node *head = NULL;
  for (int i = 0; i < n; i++)
    head = push(head, sqrt(1.0 + x[i] * x[i]), i);
  head = reversed(head);
  double result = weigh(head);
  release(head);
  return result;
}

int main(void) {
  double x[5] = {0.3, -1.2, 0.8, 2.0, -0.4}, dx[5] = {1.0, 0.5, 0.0, -1.0, 0.25};
  printf("%.17g\n", __enzyme_fwddiff((void *)chain, x, dx, 5));
  for (int i = 0; i < 5; i++)
    printf("%g %g\n", x[i], dx[i]);
  return 0;
}
