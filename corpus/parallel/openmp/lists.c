// Lists that threads build, each its own.
// adj-flags: -fopenmp
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

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
  for (int i = 0; i < N; i++) {
    x[i] = 0.4 + 0.13 * i;
    dx[i] = 0;
  }
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    const double h = 1e-5, at = x[i];
    x[i] = at + h;
    const double above = f(x, N);
    x[i] = at - h;
    const double below = f(x, N);
    x[i] = at;
    const double slope = (above - below) / (2 * h);
    if (!(fabs(slope - dx[i]) <= 1e-6 * (1 + fabs(slope)))) {
      printf("dx[%d] = %.12g, but the slope is %.12g\n", i, dx[i], slope);
      wrong = 1;
    }
  }
  return wrong;
}
