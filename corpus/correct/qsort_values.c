// qsort of numbers and of structures with active keys, bsearch for an element whose neighbour is used.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  double key;
  int tag;
  double weight;
};

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b) { return -ascending(&((const struct item *)a)->key, &((const struct item *)b)->key); }

static double ranked(const double *x, int n) {
  double sorted[12];
  struct item items[12];
  memcpy(sorted, x, n * sizeof(double));
  qsort(sorted, n, sizeof(double), ascending);
  for (int i = 0; i < n; i++) {
    items[i].key = x[i] * x[i];
    items[i].tag = i;
    items[i].weight = 1.0 + x[(i + 1) % n];
  }
  qsort(items, n, sizeof items[0], by_key);
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += sorted[i] * (i + 1) + items[i].weight * items[i].key * (items[i].tag + i);
  double *found = bsearch(&x[2], sorted, n, sizeof(double), ascending);
  return found ? sum * *found : sum;
}

int main(void) {
  double x[12], dx[12] = {0};
  for (int i = 0; i < 12; i++)
    x[i] = 0.1 * ((i * 5) % 12) - 0.43;
  __enzyme_autodiff((void *)ranked, enzyme_dup, x, dx, enzyme_const, 12);
  for (int i = 0; i < 12; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
