// Repeated squaring in place until nothing is left: the results lie far below the range of a double, and so do the derivatives.
// What exact arithmetic still finds there, the program cannot have.
#include "adj.h"
#include <stdio.h>

// Each step squares what is there: after n steps the power is two to the n,
// and the exponent has left the range of the format long before.
static void squares(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[0] *= 0.33 * x[0];
  for (int i = 0; i < n; i++)
    x[1] *= 0.5 * x[1];
}

int main(void) {
  double x[2] = {-1.3869, 1.9}, dx[2] = {0.5, 1.0};
  __enzyme_autodiff((void *)squares, enzyme_dup, x, dx, enzyme_const, 12);
  printf("%.17g %.17g %.17g %.17g\n", x[0], x[1], dx[0], dx[1]);
  return 0;
}
