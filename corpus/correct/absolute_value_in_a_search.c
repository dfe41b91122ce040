// Absolute values that are compared and no more, in the search for a pivot: no kink of the function.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  int pivot = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(x[i]) > fabs(x[pivot])) pivot = i;
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    sum += x[i] * x[pivot];
  return sum + x[0] * x[1];
}

int main(void) {
  double x[3] = {0, 2, -1}, d[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  for (int i = 0; i < 3; i++)
    printf("%g\n", d[i]);
  return 0;
}
