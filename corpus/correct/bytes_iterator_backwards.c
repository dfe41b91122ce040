// A range {begin, end} in bytes is read from its end.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const double *last(unsigned char *range) {
  const double *begin, *end;
  memcpy(&begin, range, sizeof begin);
  memcpy(&end, range + 8, sizeof end);
  if (begin == end)
    return NULL;
  end--;
  memcpy(range + 8, &end, sizeof end);
  return end;
}

static double f(const double *x, size_t n) {
  unsigned char range[16], copy[16];
  const double *end = x + n;
  memcpy(range, &x, sizeof x);
  memcpy(range + 8, &end, sizeof end);
  memcpy(copy, range, sizeof copy);
  double sum = 0.0, weight = 1.0;
  for (const double *p = last(copy); p; p = last(copy)) {
    sum += weight * *p * *p;
    weight += 1.0;
  }
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
