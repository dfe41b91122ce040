// The bytes of iterators lie on the heap, in a stack that grows.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <stdlib.h>
static double f(const double *x, size_t n) {
  unsigned char *stack = NULL;
  size_t height = 0;
  for (size_t i = 0; i < n; i++) {
    const double *p = x + i;
    stack = realloc(stack, 16 * (height + 1));
    memcpy(stack + 16 * height, &p, 8);
    memcpy(stack + 16 * height + 8, &i, 8);
    height++;
  }
  double sum = 0.0;
  while (height > 0) {
    const double *p;
    size_t weight;
    height--;
    memcpy(&p, stack + 16 * height, 8);
    memcpy(&weight, stack + 16 * height + 8, 8);
    sum += (double)(weight + 1) * *p * *p;
  }
  free(stack);
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
