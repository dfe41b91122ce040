// Forward mode: the primal only copies; the tangent of the copy is left as it was.
#include "adj.h"
#include <stdio.h>
#include <string.h>

static void copy(const double *x, double *y) {
  memcpy(y, x, 3 * sizeof(double));
}

static void copy_tangent(const double *x, const double *dx, double *y, double *dy) { //~ wrong: stale-shadow
  memcpy(y, x, 3 * sizeof(double));
}

int main(void) {
  double x[3] = {1.5, -2.0, 0.25}, y[3] = {0}, dx[3] = {1.0, 2.0, 3.0}, dy[3] = {5.0, 5.0, 5.0};
  __adj_check_tangent((void *)copy, (void *)copy_tangent, x, dx, y, dy);
  printf("%g %g %g\n", dy[0], dy[1], dy[2]);
  return 0;
}
