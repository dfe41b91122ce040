// Records of keys and of where they come from, sorted by a function of the library.
// adj-exit: 3
// adj-message: of an active float
#include "adj.h"
#include <stdlib.h>
#include <string.h>

struct keyed {
  unsigned long key;
  long from;
};

static int by_key(const void *a, const void *b) {
  unsigned long u = ((const struct keyed *)a)->key, v = ((const struct keyed *)b)->key;
  return u < v ? -1 : u > v;
}

static double f(const double *x) {
  struct keyed all[3];
  double sorted[3];
  for (int i = 0; i < 3; i++) {
    unsigned long u;
    memcpy(&u, x + i, sizeof u);
    all[i].key = u ^ (u >> 63 ? ~0ul : 1ul << 63), all[i].from = i;
  }
  qsort(all, 3, sizeof *all, by_key);
  for (int i = 0; i < 3; i++) {
    unsigned long u = all[i].key;
    u ^= u >> 63 ? 1ul << 63 : ~0ul;
    memcpy(sorted + i, &u, sizeof u);
  }
  return sorted[0] * sorted[1] + sorted[2];
}

int main(void) {
  double x[3] = {0.5, -1.25, 2.0}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
}
