// Forward mode through an allocator of the program's own: a pool with a header before each block, and sizes in another argument.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct header {
  size_t bytes;
  long tag;
};

__attribute__((noinline)) void *pool_take(int kind, size_t bytes) {
  struct header *h = malloc(sizeof(struct header) + bytes);
  h->bytes = bytes;
  h->tag = kind;
  return h + 1;
}

__attribute__((noinline)) void pool_give(void *p) {
  if (p)
    free((struct header *)p - 1);
}

void *__enzyme_allocation_like_pool[] = {(void *)pool_take, (void *)1, "-1", (void *)pool_give};

struct node {
  double value;
  struct node *next;
};

static double run(const double *x, int n) {
  struct node *list = NULL;
  double *squares = pool_take(7, n * sizeof(double));
  for (int i = 0; i < n; i++) {
    struct node *fresh = pool_take(1, sizeof *fresh);
    fresh->value = x[i] * (i + 1);
    fresh->next = list;
    list = fresh;
    squares[i] = x[i] * x[i];
  }
  double sum = 0.0;
  int i = 0;
  while (list) {
    struct node *next = list->next;
    sum += list->value * squares[i++];
    pool_give(list);
    list = next;
  }
  pool_give(squares);
  return sum;
}

int main(void) {
  double x[3] = {0.9, -0.4, 1.3}, dx[3] = {0.5, 1.0, -0.25};
  printf("%.17g\n", __enzyme_fwddiff((void *)run, enzyme_dup, x, dx, enzyme_const, 3));
  return 0;
}
