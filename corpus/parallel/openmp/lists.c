// Lists that threads build, each its own.
// adj-flags: -fopenmp
#include "differences.h"
#include <stdlib.h>

enum { N = 12 };

struct node {
  double value;
  struct node *next;
};
static double f(const double *x, int n) {
  struct node *lists[4] = {0};
#pragma omp parallel for
  for (int k = 0; k < 4; k++)
    for (int i = k; i < n; i += 4) {
      struct node *node = malloc(sizeof *node);
      node->value = x[i] * x[i];
      node->next = lists[k];
      lists[k] = node;
    }
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < 4; k++)
    for (struct node *node = lists[k]; node; node = node->next)
      sum += node->value * node->value;
  for (int k = 0; k < 4; k++)
    while (lists[k]) {
      struct node *next = lists[k]->next;
      free(lists[k]);
      lists[k] = next;
    }
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
