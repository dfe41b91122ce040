// Numbers behind the first 512 bytes of a record, which passes through two arrays of characters.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S {
  int pad[150];
  double d[2];
};
static double f(const double *x) {
  struct S s, t;
  char a[sizeof s], b[sizeof s];
  memset(&s, 0, sizeof s);
  s.d[0] = x[0] * x[0];
  s.d[1] = x[1] * 3;
  memcpy(a, &s, sizeof s);
  memcpy(b, a, sizeof s);
  memcpy(&t, b, sizeof s);
  return t.d[0] + t.d[1];
}
int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
