// |x| at zero: the one-sided derivatives are -1 and 1.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double sum_of_magnitudes(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += fabs(x[i]); //~ kink
  return sum;
}

int main(void) {
  double x[3] = {1.5, 0.0, -2.0}, dx[3] = {0};
  printf("%.17g\n", sum_of_magnitudes(x, 3));
  __enzyme_autodiff((void *)sum_of_magnitudes, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%.17g %.17g\n", dx[0], dx[2]);
  return 0;
}
