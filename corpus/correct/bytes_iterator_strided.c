// {pointer, stride, count} in bytes, moved inside a buffer and read there.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static double take(unsigned char *state, int *done) {
  const double *at;
  size_t stride, left;
  memcpy(&at, state, 8);
  memcpy(&stride, state + 8, 8);
  memcpy(&left, state + 16, 8);
  *done = left == 0;
  if (*done)
    return 0.0;
  double value = *at;
  left--;
  at += left ? stride : 0;
  memcpy(state, &at, 8);
  memcpy(state + 16, &left, 8);
  return value;
}

static double f(const double *x, size_t n) {
  unsigned char buffer[64];
  size_t stride = 2, count = (n + 1) / 2;
  memcpy(buffer, &x, 8);
  memcpy(buffer + 8, &stride, 8);
  memcpy(buffer + 16, &count, 8);
  memmove(buffer + 8, buffer, 24);
  memmove(buffer + 40, buffer + 8, 24);
  double product = 1.0;
  for (int done = 0; !done;) {
    double v = take(buffer + 40, &done);
    if (!done)
      product *= v;
  }
  return product;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
