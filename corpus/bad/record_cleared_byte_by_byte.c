// A record is cleared byte by byte, the numbers in it among others.
// adj-exit: 3
// adj-levels: O0
// adj-message: a store to memory that holds floats and other data
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
struct S {
  long n;
  double d[10];
};
static void wipe(void *p, long n) {
  char *c = p;
  for (long i = 0; i < n; i++) c[i] = 0;
}
static double f(const double *x) {
  struct S *s = malloc(sizeof *s);
  double r = 0;
  s->n = 10;
  for (int i = 0; i < 10; i++) s->d[i] = x[i & 1] * x[i & 1];
  for (int i = 0; i < 10; i++) r += s->d[i];
  wipe(s, sizeof *s);
  for (int i = 0; i < 10; i++) r += 3 * s->d[i];
  free(s);
  return r;
}
int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
