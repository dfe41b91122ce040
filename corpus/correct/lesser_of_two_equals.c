// The lesser of two numbers that are the same function of the inputs, as in a ghost cell: no kink of the function.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static __attribute__((noinline)) double speed(const double *u) {
  return u[0] - sqrt(u[1]);
}

static double f(const double *x) {
  double cell[2] = {x[0], x[1]}, ghost[2] = {x[0], x[1]};
  double slowest = fmin(speed(cell), speed(ghost));
  return slowest * x[0];
}

int main(void) {
  double x[2] = {5, 4}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  printf("%g %g\n", d[0], d[1]);
  return 0;
}
