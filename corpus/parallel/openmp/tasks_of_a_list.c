// A list whose nodes are tasks, each made before the one that is in front of it has ended; awaited at the barrier.
// adj-flags: -fopenmp
#include "differences.h"
#include <stdlib.h>

struct node {
  double value, result;
  struct node *next;
};

static double f(const double *x, int n) {
  struct node *first = 0;
  for (int i = 0; i < n; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = x[i];
    node->result = 0;
    node->next = first;
    first = node;
  }
  double scale = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    for (struct node *p = first; p; p = p->next) {
#pragma omp task firstprivate(p)
      {
        double y = p->value;
        for (int k = 0; k < 3; k++) y = sin(y) * p->value + (p->next ? p->next->value : 1);
        p->result = y;
      }
    }
#pragma omp barrier
#pragma omp single
    for (struct node *p = first; p; p = p->next) scale += p->result;
  }
  double sum = 0;
  while (first) {
    struct node *next = first->next;
    sum += first->result * first->result * scale;
    free(first);
    first = next;
  }
  return sum;
}

int main(void) {
  enum { n = 7 };
  double x[n], dx[n];
  start(x, dx, n);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);
  return differing(f, x, dx, n);
}
