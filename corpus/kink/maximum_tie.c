// The maximum of an array whose largest value occurs twice: which one gets the derivative is a
// matter of the comparison.
#include "adj.h"
#include <stdio.h>

static double largest(const double *x, int n) {
  double top = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > top) //~ kink
      top = x[i];
  return top * top;
}

int main(void) {
  double x[4] = {0.5, 2.0, 1.0, 2.0}, dx[4] = {0};
  printf("%.17g\n", largest(x, 4));
  __enzyme_autodiff((void *)largest, enzyme_dup, x, dx, enzyme_const, 4);
  printf("%.17g\n", dx[1] + dx[3]);
  return 0;
}
