// The direction of a residual that is far from zero beside its rounding, and a derivative by hand that forgets how the
// length changes. Evidence: a wrong local partial where nothing was overwritten
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  double s = sqrt(x[0]), first = s * s - x[0] + 1e-12 * x[1];
  return first / sqrt(first * first + 1e-24 * x[1] * x[1]);
}

static void df(const double *x, double *dx, double seed) {
  double s = sqrt(x[0]), first = s * s - x[0] + 1e-12 * x[1];
  dx[1] += 1e-12 / sqrt(first * first + 1e-24 * x[1] * x[1]) * seed; //~ wrong: rule
}

int main(void) {
  double x[2] = {2.0, 3.0}, dx[2] = {0};
  printf("%.6f\n", f(x));
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, 1.0);
  return 0;
}
