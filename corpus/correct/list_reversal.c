// A linked list built on the heap inside the differentiated function, reversed in place and freed.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct cell {
  double value;
  struct cell *next;
};

static double alternating(const double *x, int n) {
  struct cell *head = NULL;
  for (int i = 0; i < n; i++) {
    struct cell *c = malloc(sizeof *c);
    if (!c)
      abort();
    c->value = x[i] * x[i];
    c->next = head;
    head = c;
  }
  struct cell *reversed = NULL;
  while (head) {
    struct cell *next = head->next;
    head->next = reversed;
    if (reversed)
      head->value += 0.5 * reversed->value;
    reversed = head;
    head = next;
  }
  double sum = 0.0, sign = 1.0;
  while (reversed) {
    struct cell *next = reversed->next;
    sum = sum * 0.9 + sign * reversed->value * reversed->value;
    sign = -sign;
    free(reversed);
    reversed = next;
  }
  return sum;
}

int main(void) {
  double x[6] = {0.4, 1.1, -0.7, 0.2, 0.9, -1.3}, dx[6] = {0};
  printf("%.17g\n", alternating(x, 6));
  __enzyme_autodiff((void *)alternating, enzyme_dup, x, dx, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
