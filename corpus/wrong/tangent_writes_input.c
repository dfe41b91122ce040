// A tangent by hand that uses the input array for the primal's scratch values: the primal does not change it.
#include "adj.h"

static double cubes(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[i];
  return sum;
}

static double tcubes(double *x, const double *dx, int n) {
  double along = 0.0;
  for (int i = 0; i < n; i++) {
    double square = x[i] * x[i];
    along += 3.0 * square * dx[i];
    x[i] = square; //~ wrong: primal-corruption
  }
  return along;
}

int main(void) {
  double x[3] = {1.5, 2.0, -1.0}, dx[3] = {1.0, -1.0, 0.5};
  __adj_check_tangent((void *)cubes, (void *)tcubes, enzyme_dup, x, dx, enzyme_const, 3);
  return 0;
}
