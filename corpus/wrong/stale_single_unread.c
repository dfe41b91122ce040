// Stale shadow: one number is copied and not computed with. The optimiser moves it as an integer and stores the arguments of the call
// as integers too: only the types that the source declares still say that there are numbers.
#include "adj.h"
#include <stdio.h>
#include <string.h>

static void keep(const double *x, double *y) {
  memcpy(y, x, sizeof(double));
}

static void keep_reverse(const double *x, double *dx, double *y, double *dy) { //~ wrong: stale-shadow
  memcpy(y, x, sizeof(double));
}

int main(void) {
  double x[1] = {1.5}, y[1] = {0.5}, dx[1] = {0.0}, dy[1] = {2.0};
  __adj_check_gradient((void *)keep, (void *)keep_reverse, x, dx, y, dy);
  printf("%g %g %g\n", y[0], dx[0], dy[0]);
  return 0;
}
