// The correlation of data with data that are all the same, but for rounding: nothing by nothing.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  double mean = 0.0, other = 0.0, u = 0.0, v = 0.0, c = 0.0, y[4];
  for (int i = 0; i < 4; i++) {
    y[i] = x[0] * 0.1 * 7.0;
    mean += y[i] / 4.0;
    other += x[i] / 4.0;
  }
  mean = mean / 1.1 * 1.1;
  for (int i = 0; i < 4; i++) {
    u += (y[i] - mean) * (y[i] - mean);
    v += (x[i] - other) * (x[i] - other);
    c += (y[i] - mean) * (x[i] - other);
  }
  return c / sqrt(u * v); //~ convention
}

int main(void) {
  double x[4] = {0.3, 0.7, 1.1, 0.9}, dx[4] = {0};
  printf("%d\n", isfinite(f(x)));
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return 0;
}
