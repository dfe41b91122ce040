// Gram-Schmidt of three columns, of which the third is a combination of the others: its direction is one of rounding.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  double a[3][3], q[3][3];
  for (int j = 0; j < 3; j++) {
    a[0][j] = x[j];
    a[1][j] = x[j] * x[j];
    a[2][j] = x[j] * 3.0 + 0.7 * (x[j] * x[j]);
  }
  for (int k = 0; k < 3; k++) {
    for (int j = 0; j < 3; j++) q[k][j] = a[k][j];
    for (int m = 0; m < k; m++) {
      double p = 0.0;
      for (int j = 0; j < 3; j++) p += q[m][j] * q[k][j];
      for (int j = 0; j < 3; j++)
        q[k][j] -= p * q[m][j]; //~ convention
    }
    double n = 0.0;
    for (int j = 0; j < 3; j++) n += q[k][j] * q[k][j];
    for (int j = 0; j < 3; j++) q[k][j] /= sqrt(n);
  }
  return q[2][0] + 2.0 * q[2][1] - q[2][2];
}

int main(void) {
  double x[3] = {0.3, 0.7, 1.1}, dx[3] = {0};
  printf("%d\n", isfinite(f(x)));
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return 0;
}
