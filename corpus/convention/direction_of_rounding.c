// The unit vector along what is left of a vector when its projection is taken away. In exact arithmetic nothing is
// left: the vectors are parallel. The direction that the program computes is that of its rounding errors.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  double y[2] = {x[0] * (1 / 3.0), x[1] * (1 / 3.0)}, q[2], n = 0;
  double m = sqrt(x[0] * x[0] + x[1] * x[1]), e[2] = {x[0] / m, x[1] / m};
  double p = y[0] * e[0] + y[1] * e[1];
  for (int i = 0; i < 2; i++) {
    q[i] = y[i] - p * e[i];
    n += q[i] * q[i];
  }
  n = sqrt(n); //~ convention
  return q[0] / n + 2 * q[1] / n;
}

int main(void) {
  double x[2] = {0.7, 0.4}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  printf("%d\n", f(x) == f(x));
  return 0;
}
