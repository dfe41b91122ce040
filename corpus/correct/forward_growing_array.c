// Forward mode of an array that grows by realloc while values are appended, in a structure that is passed on.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct array {
  double *data;
  int length, capacity;
};

static void append(struct array *a, double value) {
  if (a->length == a->capacity) {
    a->capacity = a->capacity ? 2 * a->capacity : 2;
    a->data = realloc(a->data, a->capacity * sizeof *a->data);
  }
  a->data[a->length++] = value;
}

static void shift(double *data, int length) {
  memmove(data, data + 1, (length - 1) * sizeof *data);
  data[length - 1] = 1.0;
}

static double collect(double x, int n) {
  struct array a = {0};
  double term = x;
  for (int i = 0; i < n; i++) {
    append(&a, term);
    term *= x / (i + 1.0);
  }
  double *copy = calloc(n, sizeof *copy);
  memcpy(copy, a.data, n * sizeof *copy);
  shift(copy, n);
  memset(a.data, 0, a.length / 2 * sizeof *a.data);
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += copy[i] * copy[i] + a.data[i];
  free(copy);
  free(a.data);
  return log(sum);
}

int main(void) {
  printf("%.17g\n", __enzyme_fwddiff((void *)collect, 0.9, 1.0, 9));
  printf("%.17g\n", __enzyme_fwddiff((void *)collect, 1.4, -0.5, 4));
  return 0;
}
