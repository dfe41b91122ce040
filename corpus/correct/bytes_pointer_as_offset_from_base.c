// Bytes hold how far a pointer is from its base, as positions in mapped files do.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, size_t n) {
  unsigned char links[4][8];
  for (size_t i = 0; i < n; i++) {
    ptrdiff_t offset = (const char *)(x + (i + 1) % n) - (const char *)x;
    memcpy(links[i], &offset, sizeof offset);
  }
  double sum = 0.0;
  size_t at = 0;
  for (size_t k = 0; k < n; k++) {
    ptrdiff_t offset;
    memcpy(&offset, links[at], sizeof offset);
    const double *p = (const double *)((const char *)x + offset);
    sum = 0.5 * sum + *p * *p;
    at = (size_t)(p - x);
  }
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
