// Results are stored through pointers that were kept as bytes, in memory of the caller.
#include "adj.h"
#include <stdio.h>

static void keep(unsigned char *to, double *p) {
  const unsigned char *from = (const unsigned char *)&p;
  for (int i = 0; i < 8; i++)
    to[i] = from[i];
}

static double *kept(const unsigned char *from) {
  double *p;
  for (int i = 0; i < 8; i++)
    ((unsigned char *)&p)[i] = from[i];
  return p;
}

static void f(const double *x, double *y, unsigned char *scratch, int n) {
  for (int i = 0; i < n; i++)
    keep(scratch + 8 * i, y + n - 1 - i);
  for (int i = 0; i < n; i++)
    *kept(scratch + 8 * i) = x[i] * x[i];
}

int main(void) {
  double x[3] = {1, 2, 3}, y[3], dx[3] = {0}, dy[3] = {1, 10, 100};
  unsigned char scratch[24], dscratch[24] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_dup, scratch, dscratch, enzyme_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
