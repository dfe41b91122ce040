// While loops whose number of trips depends on active values, on a counter in memory and on both; one stops before its first trip, one
// contains another.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double halve(double x, double tolerance, int *trips) {
  double y = x, previous = 0.0;
  *trips = 0;
  while (fabs(y - previous) > tolerance && *trips < 50) {
    previous = y;
    y = 0.5 * (y + x / y);
    ++*trips;
  }
  return y;
}

static double nested(const double *x, int n, double tolerance) {
  double sum = 0.0;
  int i = 0, trips;
  while (i < n) {
    double r = halve(x[i], tolerance, &trips);
    double term = r;
    while (term * term > 0.5) {
      term *= 0.6 * x[i] / (x[i] + 1.0);
      sum += term;
    }
    sum += r * trips;
    i += trips % 2 + 1;
  }
  return sum;
}

int main(void) {
  double x[6] = {2.0, 0.3, 7.5, 1.0, 4.2, 0.9};
  for (int k = 0; k < 3; k++) {
    double dx[6] = {0};
    __enzyme_autodiff((void *)nested, enzyme_dup, x, dx, enzyme_const, k == 0 ? 0 : 6, enzyme_const, k == 1 ? 1e-3 : 100.0);
    for (int i = 0; i < 6; i++)
      printf("%.13g\n", dx[i]);
  }
  return 0;
}
