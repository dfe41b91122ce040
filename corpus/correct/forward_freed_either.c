// Forward mode: a node that has a tangent on one way and none on the other is freed where the ways have met. The compiler knows that the
// node's address is not null; its shadow's may be.
#include "adj.h"
#include <stdlib.h>

struct node {
  double value;
  struct node *next;
  int tag;
};

static void damped(double *x, const double *limit) {
  struct node *head = 0;
  for (int i = 0; i < 1; i++) {
    struct node *one = malloc(sizeof *one);
    one->value = 0.5 * (limit[0] > 0.5 ? x[0] : 0.5) + 0.25 * i;
    one->tag = i;
    one->next = head;
    head = one;
  }
  double sum = x[0];
  while (head) {
    struct node *one = head;
    sum = one->tag & 1 ? 0.5 * sum + 0.1 * one->value * one->value : sum - 0.1 * one->value;
    head = one->next;
    free(one);
  }
  x[0] = 0.2 * sum;
}

int main(void) {
  double limits[2] = {-1.25, 0.75}, dlimits[2] = {-0.5, 0.25};
  double slope = 0.0;
  for (int i = 0; i < 2; i++) {
    double x = 0.288, dx = 0.5;
    __enzyme_fwddiff((void *)damped, enzyme_dup, &x, &dx, enzyme_dup, &limits[i], &dlimits[i]);
    slope += dx;
  }
  return slope > 0.0 ? 0 : 1;
}
