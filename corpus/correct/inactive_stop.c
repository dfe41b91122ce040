// A gradient that is stopped on purpose: the result of a function declared inactive counts as a constant, though it depends on
// the input, and neither its body nor its identity may be seen through.
#include "adj.h"
#include <stdio.h>

static double stop(double x) { return x; }
void *__enzyme_inactivefn_stop = (void *)stop;

static double relative(const double *x, int n) {
  double norm = 0.0, s = 0.0;
  for (int i = 0; i < n; i++)
    norm += x[i] * x[i];
  norm = stop(norm);
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[i] / norm;
  return s;
}

int main(void) {
  double x[3] = {1.0, -2.0, 0.5}, dx[3] = {0};
  __enzyme_autodiff((void *)relative, enzyme_dup, x, dx, enzyme_const, 3);
  for (int i = 0; i < 3; i++) {
    double expected = 3.0 * x[i] * x[i] / 5.25;
    if (dx[i] - expected > 1e-12 || expected - dx[i] > 1e-12)
      return 1;
    printf("%.12g\n", dx[i]);
  }
  return 0;
}
