// fmin inside a loop: the running minimum meets an equal value.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double running_minimum(const double *x, int n) {
  double low = 10.0, sum = 0.0;
  for (int i = 0; i < n; i++) {
    low = fmin(low, x[i] * x[i]); //~ kink
    sum += low * (i + 1);
  }
  return sum;
}

int main(void) {
  double x[4] = {2.0, 1.5, -1.5, 3.0}, dx[4] = {0};
  printf("%.17g\n", running_minimum(x, 4));
  __enzyme_autodiff((void *)running_minimum, enzyme_dup, x, dx, enzyme_const, 4);
  printf("%.17g\n", dx[0]);
  return 0;
}
