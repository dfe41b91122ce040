// The bytes of a pointer are copied by eight assignments, and read as a pointer by a function.
#include "adj.h"
#include <stdio.h>

static const double *get(char *bytes) { return *(const double **)bytes; }

static double f(const double *x) {
  _Alignas(8) char a[8], c[8];
  *(const double **)a = x;
  c[0] = a[0], c[1] = a[1], c[2] = a[2], c[3] = a[3];
  c[4] = a[4], c[5] = a[5], c[6] = a[6], c[7] = a[7];
  const double *p = get(c);
  return *p * *p;
}

int main(void) {
  double x = 3, d = 0;
  __enzyme_autodiff((void *)f, enzyme_dup, &x, &d);
  printf("%g\n", d);
  return 0;
}
