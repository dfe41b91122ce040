// The end of a list is dereferenced.
// adj-levels: O0
#include <stdio.h>

struct node {
  int value;
  struct node *next;
};

static int last(const struct node *n) {
  while (n->next->value >= 0) //~ ub: null-pointer
    n = n->next;
  return n->value;
}

int main(void) {
  struct node c = {3, NULL}, b = {2, &c}, a = {1, &b};
  printf("%d\n", last(&a));
  return 0;
}
