// A list node is read after it was freed: the classic wrong way to destroy a list.
// adj-levels: O0
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *next, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  n->next = next;
  return n;
}

int main(void) {
  struct node *list = push(push(NULL, 1), 2);
  for (struct node *n = list; n;) {
    printf("%d\n", n->value);
    free(n);
    n = n->next; //~ ub: use-after-free
  }
  return 0;
}
