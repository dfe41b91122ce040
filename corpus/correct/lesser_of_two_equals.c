// The lesser of two numbers that are the same function of the inputs, as in a ghost cell: no kink of the function.
#include "adj.h"
#include <math.h>
__attribute__((noinline)) static double speed(const double *u) { return u[0] - sqrt(u[1]); }
static double f(const double *x) {
  double w[4] = {x[0], x[1], x[0], x[1]};
  return fmin(speed(w), speed(w + 2)) * x[0];
}
int main(void) {
  double x[2] = {5, 4}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  return d[0] == 8 && d[1] == -1.25 ? 0 : 1;
}
