// A header, and numbers behind it, are copied with a length that is known only at run time.
// adj-exit: 3
// adj-message: do not repeat regularly
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct H {
  long n;
};
static double f(const double *x, long n) {
  char *u = malloc(8 * n), *v = malloc(8 * n);
  ((struct H *)u)->n = n;
  for (long i = 1; i < n; i++) ((double *)u)[i] = x[i & 1] * x[i & 1];
  memcpy(v, u, 8 * n);
  double r = 0;
  for (long i = 1; i < n; i++) r += ((double *)v)[i];
  free(u);
  free(v);
  return r;
}
int main(void) {
  double x[2] = {0.5, -1.5}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 5L);
  printf("%g %g\n", d[0], d[1]);
  return 0;
}
