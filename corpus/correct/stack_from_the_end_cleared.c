// Memory that is accessed by negative indices alone is cleared as a whole.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double f(const double *x, long n) {
  char *p = malloc(1024);
  double *top = (double *)(p + 1024), r = 0;
  for (long i = 1; i <= n; i++) top[-i] = x[i & 1] * x[i & 1];
  for (long i = 1; i <= n; i++) r += top[-i];
  memset(p, 0, 1024);
  for (long i = 1; i <= n; i++) r += 5 * top[-i];
  free(p);
  return r;
}
int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4L);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
