// Records with a pointer in them are sorted with an exchange that goes byte by byte.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>

struct Item {
  const double *at;
  long key;
};

static void exchange(void *a, void *b, size_t size) {
  char *p = a, *q = b;
  while (size-- > 0) {
    char byte = *p;
    *p++ = *q;
    *q++ = byte;
  }
}

static double f(const double *x, int n) {
  struct Item items[5];
  for (int i = 0; i < n; i++)
    items[i] = (struct Item){x + i, (7 * i) % 5};
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && items[j].key < items[j - 1].key; j--)
      exchange(&items[j], &items[j - 1], sizeof items[0]);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (i + 1) * *items[i].at * *items[i].at;
  return sum;
}

int main(void) {
  double x[5] = {1, 2, 3, 4, 5}, d[5] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%g ", d[i]);
  printf("\n");
  return 0;
}
