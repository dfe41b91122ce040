// A growable array: doubled by allocating, copying and freeing by hand when it is full.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct array {
  double *data;
  int size, capacity;
};

static void push(struct array *a, double value) {
  if (a->size == a->capacity) {
    int capacity = a->capacity ? 2 * a->capacity : 1;
    double *data = malloc((size_t)capacity * sizeof *data);
    if (!data)
      abort();
    if (a->size)
      memcpy(data, a->data, (size_t)a->size * sizeof *data);
    free(a->data);
    a->data = data;
    a->capacity = capacity;
  }
  a->data[a->size++] = value;
}

static double accepted(const double *x, int n, double threshold) {
  struct array a = {NULL, 0, 0};
  for (int i = 0; i < n; i++)
    if (x[i] > threshold)
      push(&a, x[i] * x[i]);
  double sum = 0.0;
  for (int i = 0; i < a.size; i++)
    sum += a.data[i] * a.data[a.size - 1 - i] * (i + 1);
  free(a.data);
  return sum;
}

int main(void) {
  double x[9] = {0.5, -1.0, 1.5, 0.2, 2.5, 0.9, -0.3, 1.1, 0.7}, dx[9] = {0};
  printf("%.17g\n", accepted(x, 9, 0.3));
  __enzyme_autodiff((void *)accepted, enzyme_dup, x, dx, enzyme_const, 9, enzyme_const, 0.3);
  for (int i = 0; i < 9; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
