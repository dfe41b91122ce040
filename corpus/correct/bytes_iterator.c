// An iterator, a pointer and a count, is kept in bytes, and moved twice.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const double *next(char *state) {
  const double *p;
  size_t count;
  memcpy(&p, state, 8);
  memcpy(&count, state + 8, 8);
  if (count < 1)
    return 0;
  const double *behind = p + 1;
  count--;
  memcpy(state, &behind, 8);
  memcpy(state + 8, &count, 8);
  return p;
}

static double f(const double *x, size_t n) {
  _Alignas(8) char a[16], b[16], c[16];
  memcpy(a, &x, 8);
  memcpy(a + 8, &n, 8);
  memcpy(b, a, 16);
  memcpy(c, b, 16);
  double sum = 0;
  for (const double *p; (p = next(c));)
    sum += *p * *p;
  return sum;
}

int main(void) {
  double x[3] = {1, 2, 3}, d[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, (size_t)3);
  printf("%g %g %g\n", d[0], d[1], d[2]);
  return 0;
}
