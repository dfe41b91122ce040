// Fork and join: the result of a detached task is read before the sync.
#define ADJ_TASKS
#include "adj.h"
#include <stdio.h>

struct part {
  const double *x;
  int n;
  double sum;
};

static void sum(void *data) {
  struct part *part = data;
  for (int i = 0; i < part->n; i++)
    part->sum += part->x[i]; //~ race
}

int main(void) {
  double x[8] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
  struct part left = {x, 4, 0.0}, right = {x + 4, 4, 0.0};
  struct adj_region region;
  __adj_detach(&region, sum, &left);
  sum(&right);
  double total = left.sum + right.sum; //~ race
  __adj_sync(&region);
  printf("%d\n", total > 0.0);
  return 0;
}
