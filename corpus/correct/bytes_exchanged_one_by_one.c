// Two pointers are exchanged byte by byte, as sorting routines exchange elements of any size.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void exchange(void *a, void *b, size_t size) {
  unsigned char *p = a, *q = b;
  for (size_t i = 0; i < size; i++) {
    unsigned char t = p[i];
    p[i] = q[i];
    q[i] = t;
  }
}

static double f(const double *x, size_t n) {
  const double *low = x, *high = x + n - 1;
  exchange(&low, &high, sizeof low);
  return low[0] * low[0] * high[1] + 3.0 * high[0];
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
