// Derivatives of a gradient: reverse mode over reverse mode gives the columns of a Hessian.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double chain(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[(i + 1) % n] + sin(x[i]);
  return sum;
}

static void gradient(const double *x, double *g, int n) {
  for (int i = 0; i < n; i++)
    g[i] = 0.0;
  __enzyme_autodiff((void *)chain, enzyme_dup, x, g, enzyme_const, n);
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0};
  for (int column = 0; column < 3; column++) {
    double row[3] = {0}, g[3] = {0}, seed[3] = {0};
    seed[column] = 1.0;
    __enzyme_autodiff((void *)gradient, enzyme_dup, x, row, enzyme_dup, g, seed, enzyme_const, 3);
    printf("%.17g %.17g %.17g\n", row[0], row[1], row[2]);
  }
  return 0;
}
