// The angle between parallel vectors: the cosine is one, but for rounding.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double angle(const double *x) {
  double y[3] = {x[0] * 0.7, x[1] * 0.7, x[2] * 0.7}, a = 0, b = 0, c = 0;
  for (int i = 0; i < 3; i++) {
    a += x[i] * x[i];
    b += y[i] * y[i];
    c += x[i] * y[i];
  }
  return acos(c / (sqrt(a) * sqrt(b))); //~ convention
}

int main(void) {
  double x[3] = {0.3, 0.5, 0.2}, dx[3] = {0};
  printf("%.17g\n", angle(x));
  __enzyme_autodiff((void *)angle, enzyme_dup, x, dx);
  printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
  return 0;
}
