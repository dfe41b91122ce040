// Fork and join: the gradient of a function that detaches a task is that of its serial projection.
#define ADJ_TASKS
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct part {
  const double *x;
  int n;
  double sum;
};

static void norm(void *data) {
  struct part *part = data;
  part->sum = 0.0;
  for (int i = 0; i < part->n; i++)
    part->sum += sin(part->x[i]) * part->x[i];
}

static double total(const double *x, int n) {
  struct adj_region region;
  struct part left = {x, n / 2, 0.0}, right = {x + n / 2, n - n / 2, 0.0};
  __adj_detach(&region, norm, &left);
  norm(&right);
  __adj_sync(&region);
  return left.sum * right.sum;
}

int main(void) {
  double x[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, dx[6] = {0.0};
  __enzyme_autodiff((void *)total, enzyme_dup, x, dx, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
