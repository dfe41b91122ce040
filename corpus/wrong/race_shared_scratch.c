// The adjoint of a value that each iteration has for itself is kept in a variable that all threads share.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <stdio.h>

static void warm(const double *x, double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double root = sqrt(x[i]);
    y[i] = root * root * root;
  }
}

static void warm_reverse(const double *x, double *dx, double *y, double *dy, int n) {
  double adjoint[1] = {0.0};
  warm(x, y, n);
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    volatile double *shared = adjoint;
    *shared = 3.0 * x[i] * dy[i]; //~ race
    dx[i] += *shared / (2.0 * sqrt(x[i]));
    dy[i] = 0.0;
  }
}

int main(void) {
  double x[6], dx[6] = {0}, y[6], dy[6];
  for (int i = 0; i < 6; i++) {
    x[i] = 1.0 + i;
    dy[i] = 1.0;
  }
  __adj_check_gradient((void *)warm, (void *)warm_reverse, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 6);
  printf("%g %g\n", dx[0], dx[5]);
  return 0;
}
