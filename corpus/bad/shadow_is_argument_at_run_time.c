// A shadow that turns out to be the argument itself when the program runs.
// adj-exit: 1
// adj-message: the shadow of x[0] is primal memory
#include "adj.h"
#include <stdio.h>

static double norm(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

static double *chosen(double *p, double *q) { return getchar() == 49 ? p : q; }

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0};
  __enzyme_autodiff((void *)norm, enzyme_dup, x, chosen(dx, x), enzyme_const, 3);
  printf("%g\n", dx[0]);
  return 0;
}
