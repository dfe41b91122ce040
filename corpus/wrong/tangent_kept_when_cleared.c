// A tangent by hand that leaves the tangent of an element which the function overwrites with a constant.
#include "adj.h"

static double energy(double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  x[0] = 1.0;
  return sum;
}

static double tenergy(double *x, double *dx, int n) { //~ wrong: stale-shadow
  double along = 0.0;
  for (int i = 0; i < n; i++)
    along += 2.0 * x[i] * dx[i];
  x[0] = 1.0;
  return along;
}

int main(void) {
  double x[3] = {1.5, 2.0, -1.0}, dx[3] = {1.0, -1.0, 0.5};
  __adj_check_tangent((void *)energy, (void *)tenergy, enzyme_dup, x, dx, enzyme_const, 3);
  return 0;
}
