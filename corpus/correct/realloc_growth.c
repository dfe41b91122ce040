// A buffer that grows by realloc while it is filled: its values move, and their adjoints with them.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct buffer {
  double *data;
  int count, capacity;
};

static void push(struct buffer *b, double value) {
  if (b->count == b->capacity) {
    b->capacity = b->capacity ? 2 * b->capacity : 2;
    b->data = realloc(b->data, (size_t)b->capacity * sizeof *b->data);
    if (!b->data)
      abort();
  }
  b->data[b->count++] = value;
}

static double pairing(const double *x, int n) {
  struct buffer b = {NULL, 0, 0};
  for (int i = 0; i < n; i++)
    push(&b, x[i] * x[i]);
  double sum = 0.0;
  for (int i = 0; i < b.count; i++)
    sum += b.data[i] * x[n - 1 - i];
  free(b.data);
  return sum;
}

int main(void) {
  double x[5] = {1.0, 2.0, 3.0, 4.0, 5.0}, dx[5] = {0};
  printf("%.17g\n", pairing(x, 5));
  __enzyme_autodiff((void *)pairing, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
