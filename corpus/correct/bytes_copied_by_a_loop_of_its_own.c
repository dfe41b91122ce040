// A function of the program copies bytes, as memcpy does, and is used for a record with two pointers.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct record {
  const double *values;
  size_t count;
  const double *weights;
};

static void copy(void *to, const void *from, size_t size) {
  unsigned char *t = to;
  const unsigned char *s = from;
  while (size-- > 0)
    *t++ = *s++;
}

static double f(const double *x, size_t n) {
  struct record record = {x, n / 2, x + n / 2}, other;
  copy(&other, &record, sizeof record);
  double sum = 0.0;
  for (size_t i = 0; i < other.count; i++)
    sum += other.weights[i] * other.values[i] * other.values[i];
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
