// Rule: the derivative of atan is written 1 / (1 + x) instead of 1 / (1 + x * x). Evidence: the
// error sits in the partial of one operation whose operands are the right ones.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double angle_sum(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += (i + 1.0) * atan(x[i]);
  return sum;
}

static void dangle_sum(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++)
    dx[i] += seed * (i + 1.0) / (1.0 + x[i]); //~ wrong: rule
}

int main(void) {
  double x[3] = {0.5, 2.0, 3.5}, dx[3] = {0};
  __adj_check_gradient((void *)angle_sum, (void *)dangle_sum, enzyme_dup, x, dx, enzyme_const, 3, 1.0);
  printf("%.15g\n", angle_sum(x, 3));
  return 0;
}
