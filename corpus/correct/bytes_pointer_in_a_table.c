// A table from numbers to values of any size keeps pointers as bytes.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SLOTS 8
struct table {
  int used[SLOTS], keys[SLOTS];
  unsigned char values[SLOTS][8];
};

static unsigned char *slot(struct table *t, int key) {
  int at = key * 5 % SLOTS;
  while (t->used[at] && t->keys[at] != key)
    at = (at + 1) % SLOTS;
  t->used[at] = 1;
  t->keys[at] = key;
  return t->values[at];
}

static double f(const double *x, size_t n) {
  struct table t;
  memset(&t, 0, sizeof t);
  for (size_t i = 0; i < n; i++) {
    const double *p = x + i;
    memcpy(slot(&t, 8 * (int)i), &p, sizeof p);
  }
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double *p;
    memcpy(&p, slot(&t, 8 * (int)(n - 1 - i)), sizeof p);
    sum += (double)(i + 1) * *p * *p;
  }
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
