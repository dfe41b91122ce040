// A hash table of integers beside floats: open addressing, weights gathered by key.
#include "adj.h"
#include <stdio.h>
#include <string.h>

#define SLOTS 16

struct table {
  int key[SLOTS];
  unsigned char used[SLOTS];
  double value[SLOTS];
};

static double *find(struct table *t, int key) {
  unsigned h = (unsigned)key * 2654435761u >> 28;
  while (t->used[h] && t->key[h] != key)
    h = (h + 1) % SLOTS;
  if (!t->used[h]) {
    t->used[h] = 1;
    t->key[h] = key;
    t->value[h] = 1.0;
  }
  return &t->value[h];
}

static double group_products(const int *keys, const double *x, int n) {
  struct table t;
  memset(&t, 0, sizeof t);
  for (int i = 0; i < n; i++)
    *find(&t, keys[i]) *= x[i];
  double sum = 0.0;
  for (int i = 0; i < SLOTS; i++)
    if (t.used[i])
      sum += t.value[i] * t.value[i];
  return sum + *find(&t, keys[0]);
}

int main(void) {
  const int keys[9] = {17, 4, 17, 1001, 4, 23, 17, 1001, -6};
  double x[9], dx[9] = {0};
  for (int i = 0; i < 9; i++)
    x[i] = 0.7 + 0.1 * i;
  printf("%.17g\n", group_products(keys, x, 9));
  __enzyme_autodiff((void *)group_products, enzyme_const, keys, enzyme_dup, x, dx, enzyme_const, 9);
  for (int i = 0; i < 9; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
