// A result that is infinite has no derivative: nothing is compared, and nothing is called correct.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double weighted(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += (i + 1) * x[i];
  return sum;
}

int main(void) {
  double x[2] = {1.0, INFINITY}, dx[2] = {0};
  __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx, enzyme_const, 2); //~ convention
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
