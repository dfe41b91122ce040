/* The energy of a chain of springs between points on a line, and of an anharmonic well that holds the first one. */
#include "energy.h"

#include <math.h>

double energy(const double *x, int n, double stiffness) {
  double sum = log(cosh(x[0]));
  for (int i = 0; i + 1 < n; i++) {
    double length = x[i + 1] - x[i] - 1.0;
    sum += 0.5 * stiffness * length * length;
  }
  return sum;
}
