// Stale shadow: the primal clears an array that it does not read. The derivative of zero is zero: so must the shadow be. The array's
// own values were stored as numbers before the call.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double forget(double *x, double *work) {
  memset(work, 0, 4 * sizeof(double));
  return x[0] * x[1];
}

static void forget_reverse(double *x, double *dx, double *work, double *dwork, double seed) { //~ wrong: stale-shadow
  dx[0] += seed * x[1];
  dx[1] += seed * x[0];
  memset(work, 0, 4 * sizeof(double));
}

int main(void) {
  double x[2] = {3.0, -0.5}, dx[2] = {0};
  double *work = malloc(4 * sizeof(double)), *dwork = malloc(4 * sizeof(double));
  for (int i = 0; i < 4; i++) {
    work[i] = i + 0.5;
    dwork[i] = 1.0 / (i + 1);
  }
  __adj_check_gradient((void *)forget, (void *)forget_reverse, x, dx, work, dwork, 1.0);
  printf("%g %g %g\n", dx[0], dx[1], dwork[3]);
  free(work);
  free(dwork);
  return 0;
}
