// As a right gradient with literals of its own, but the weight of one is off by 10⁻¹²: far more than literals move it
// by. Evidence: a wrong local partial where nothing was overwritten
#include "adj.h"
#include <math.h>
#include <stdio.h>

static const double weights[4] = {0.1, 0.7, 1.0 / 3, 1e-7};
static const double doubled[4] = {0.2, 1.4, 2.0 / 3, 2e-7};

static double f(const double *x) {
  double s = x[4] / 7.0 + sin(x[5]) / 3.0 + erf(x[6]) * 0.3;
  for (int i = 0; i < 4; i++)
    s += weights[i] * x[i] * x[i];
  return s * s / 9.7;
}

static void df(const double *x, double *dx, double seed) {
  double s = x[4] * (1.0 / 7.0) + sin(x[5]) * (1.0 / 3.0) + erf(x[6]) * 0.3;
  for (int i = 0; i < 4; i++)
    s += weights[i] * x[i] * x[i];
  double t = 2.0 / 9.7 * s * seed;
  for (int i = 0; i < 4; i++)
    dx[i] += doubled[i] * x[i] * t; //~ [O2,O3] wrong: rule
  dx[4] += 0.142857142857285714 * t; //~ [O0,O1] wrong: rule
  dx[5] += cos(x[5]) * (1.0 / 3.0) * t;
  dx[6] += 0.3 * 1.1283791670955126 * exp(-x[6] * x[6]) * t;
}

int main(void) {
  double x[7] = {1.5, -0.25, 2.0, 0.5, 1.1, 0.4, 0.3}, dx[7] = {0};
  printf("%.17g\n", f(x));
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, 1.0);
  return 0;
}
