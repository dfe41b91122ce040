// A two by two system close to singular: the solution and its gradient lose many digits to the
// conditioning, and the gradient's formula is right.
#include "adj.h"
#include <stdio.h>

static double solve(const double *a, const double *b) {
  double det = a[0] * a[3] - a[1] * a[2];
  return (a[3] * b[0] - a[1] * b[1]) / det;
}

static void dsolve(const double *a, double *da, const double *b, double *db, double seed) {
  double det = a[0] * a[3] - a[1] * a[2];
  double top = a[3] * b[0] - a[1] * b[1];
  double dtop = seed / det, ddet = -seed * top / (det * det);
  da[0] += ddet * a[3];
  da[1] += -ddet * a[2] - dtop * b[1];
  da[2] += -ddet * a[1];
  da[3] += ddet * a[0] + dtop * b[0];
  db[0] += dtop * a[3];
  db[1] += -dtop * a[1];
}

int main(void) {
  double a[4] = {1.0, 0.999999, 1.000001, 1.0000003}, da[4] = {0}, b[2] = {0.7, 0.3}, db[2] = {0};
  __adj_check_gradient((void *)solve, (void *)dsolve, enzyme_dup, a, da, enzyme_dup, b, db, 1.0);
  printf("%.17g %.17g\n", solve(a, b), db[0]);
  return 0;
}
