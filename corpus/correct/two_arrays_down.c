// Pointers that are stored from the end of a block downwards, and room for numbers behind its middle: the pointers reach
// below that, where the copy is read.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double f(double *x, double v, int pointers, int numbers) {
  char *block = malloc(72), copy[72];
  double **end = (double **)(block + 72);
  for (int i = 0; i < pointers; i++) end[i - 9] = x;
  double *middle = (double *)(block + 48);
  for (int i = 0; i < numbers; i++) middle[i] = v;
  memcpy(copy, block, sizeof copy);
  double **behind = (double **)(copy + 24);
  double *found = behind[pointers - 4];
  found[0] *= v;
  free(block);
  return x[0] * x[0];
}

int main(void) {
  double x[1] = {0.5}, dx[1] = {0};
  const double dv = __enzyme_autodiff((void *)f, enzyme_dup, x, dx, 1.5, enzyme_const, 3, enzyme_const, 0);
  printf("%g %g\n", dx[0], dv);
  return !(fabs(dx[0] - 2.25) < 1e-12 && fabs(dv - 0.75) < 1e-12);
}
