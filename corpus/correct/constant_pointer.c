// Constant memory mixed with active memory: products of both, and a store of a constant.
#include "adj.h"
#include <stdio.h>

static double mixed(const double *data, double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double w = data[i];
    if (w > 0.5)
      x[i] = w;
    else
      x[i] = w * x[i] * x[i];
  }
  for (int i = 0; i < n; i++)
    sum += data[n - 1 - i] * x[i] * x[(i + 1) % n];
  return sum;
}

int main(void) {
  double data[6] = {0.1, 0.9, 0.3, 0.45, 0.7, 0.2};
  double x[6] = {1.0, 2.0, -1.5, 0.5, 3.0, 0.25}, dx[6];
  for (int i = 0; i < 6; i++)
    dx[i] = 0.5 * i;
  __enzyme_autodiff((void *)mixed, enzyme_const, data, enzyme_dup, x, dx, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.17g %.17g\n", x[i], dx[i]);
  return 0;
}
