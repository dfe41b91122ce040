// The Rosenbrock function of n variables: a sum over neighbours, each variable read twice.
#include "adj.h"
#include <stdio.h>

static double rosenbrock(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i];
    double b = 1.0 - x[i];
    sum += 100.0 * a * a + b * b;
  }
  return sum;
}

int main(void) {
  double x[2] = {1.2, 0.8}, dx[2] = {0.0, 0.0};
  double y[5] = {-1.0, 0.5, 2.0, 1.5, -0.25}, dy[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
  printf("%.17g %.17g\n", rosenbrock(x, 2), rosenbrock(y, 5));
  __enzyme_autodiff((void *)rosenbrock, enzyme_dup, x, dx, enzyme_const, 2);
  printf("%.17g %.17g\n", dx[0], dx[1]);
  __enzyme_autodiff((void *)rosenbrock, enzyme_dup, y, dy, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", dy[i]);
  return 0;
}
