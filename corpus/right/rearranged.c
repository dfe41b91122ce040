// The same derivative in another form: cos(atan(x))^2 for 1 / (1 + x^2), a rounded literal for one
// third, and the terms summed in the opposite order.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double mixture(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += atan(x[i]) + x[i] * x[i] / 3.0;
  return sum;
}

static void dmixture(const double *x, double *dx, int n, double seed) {
  for (int i = n - 1; i >= 0; i--) {
    double c = cos(atan(x[i]));
    dx[i] += 2.0 * 0.3333333333333333 * x[i] * seed;
    dx[i] += seed * c * c;
  }
}

int main(void) {
  double x[4] = {0.5, -3.0, 12.0, 0.01}, dx[4] = {0};
  __adj_check_gradient((void *)mixture, (void *)dmixture, enzyme_dup, x, dx, enzyme_const, 4, 1.0);
  for (int i = 0; i < 4; i++)
    printf("%.15g\n", dx[i]);
  return 0;
}
