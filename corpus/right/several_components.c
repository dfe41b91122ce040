// Several active scalars beside an array: the gradient returns a structure of their components.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct pair {
  double scale, shift;
};

static double fit(const double *x, int n, double scale, double shift) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double r = scale * x[i] + shift - sin(x[i]);
    sum += r * r;
  }
  return sum;
}

static struct pair dfit(const double *x, double *dx, int n, double scale, double shift, double seed) {
  struct pair d = {0.0, 0.0};
  for (int i = 0; i < n; i++) {
    double r = 2.0 * seed * (scale * x[i] + shift - sin(x[i]));
    d.scale += r * x[i];
    d.shift += r;
    dx[i] += r * (scale - cos(x[i]));
  }
  return d;
}

int main(void) {
  double x[4] = {0.1, 0.9, 1.7, -0.6}, dx[4] = {0};
  __adj_check_gradient((void *)fit, (void *)dfit, enzyme_dup, x, dx, enzyme_const, 4, enzyme_out, 0.8, enzyme_out,
                       0.05, 0.5);
  printf("%.15g %.15g\n", fit(x, 4, 0.8, 0.05), dx[2]);
  return 0;
}
