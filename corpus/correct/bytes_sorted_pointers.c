// Pointers are sorted by keys, by a routine that knows the size of its elements only.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct item {
  long key;
  const double *value;
};

static void sort(void *base, size_t count, size_t size) {
  unsigned char *b = base;
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k > 0; k--) {
      long above, below;
      memcpy(&above, b + (k - 1) * size, sizeof above);
      memcpy(&below, b + k * size, sizeof below);
      if (above <= below)
        break;
      for (size_t byte = 0; byte < size; byte++) {
        unsigned char t = b[(k - 1) * size + byte];
        b[(k - 1) * size + byte] = b[k * size + byte];
        b[k * size + byte] = t;
      }
    }
}

static double f(const double *x, size_t n) {
  struct item items[4];
  for (size_t i = 0; i < n; i++)
    items[i] = (struct item){(long)((i * 7) % 5), x + i};
  sort(items, n, sizeof *items);
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum = 0.5 * sum + *items[i].value * *items[i].value;
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
