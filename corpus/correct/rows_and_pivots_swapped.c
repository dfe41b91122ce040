// Rows and an array of pivots beside them are exchanged; the index of the pivot is a difference of pointers.
#include "adj.h"
#include <stdio.h>
typedef struct {
  double v[2];
} R;
typedef struct {
  R m[2];
  long piv[2];
} LU;
static double f(const double *x) {
  LU a;
  for (int i = 0; i < 4; i++)
    a.m[i / 2].v[i % 2] = x[i];
  a.piv[0] = 0;
  a.piv[1] = 1;
  R *q = a.m[1].v[0] > a.m[0].v[0] ? a.m + 1 : a.m;
  long p = q - a.m;
  R s = a.m[p];
  a.m[p] = a.m[0];
  a.m[0] = s;
  long t = a.piv[p];
  a.piv[p] = a.piv[0];
  a.piv[0] = t;
  return a.m[0].v[0] + 2 * x[a.piv[1]];
}
int main(void) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
}
