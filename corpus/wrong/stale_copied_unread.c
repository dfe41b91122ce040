// Stale shadow: the primal copies numbers and nowhere computes with them, so nothing in it says that the bytes are numbers. What
// was stored there before says so: the components of y belong to x, and the shadow of y is to be cleared.
#include "adj.h"
#include <stdio.h>
#include <string.h>

static void copy(const double *x, double *y) {
  memcpy(y, x, 3 * sizeof(double));
}

static void copy_reverse(const double *x, double *dx, double *y, double *dy) { //~ wrong: stale-shadow
  memcpy(y, x, 3 * sizeof(double));
}

int main(void) {
  double x[3] = {1.5, -2.0, 0.25}, y[3] = {0}, dx[3] = {0}, dy[3] = {1.0, 2.0, 3.0};
  __adj_check_gradient((void *)copy, (void *)copy_reverse, x, dx, y, dy);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
