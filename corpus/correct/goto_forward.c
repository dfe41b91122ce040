// Forward gotos that skip parts of a computation and join at shared labels.
#include "adj.h"
#include <stdio.h>

static double route(const double *x, int kind) {
  double a = x[0], b = x[1];
  if (kind == 0)
    goto last;
  a = a * a + b;
  if (kind == 1)
    goto middle;
  b = b * a;
  if (a > b)
    goto middle;
  a = a + 2.0 * b * b;
middle:
  b += a * x[2];
  if (kind == 3)
    goto last;
  a *= b;
last:
  return a * b + x[2] * x[2];
}

int main(void) {
  for (int kind = 0; kind < 5; kind++) {
    double x[3] = {0.7 + 0.3 * kind, 1.1, -0.4}, dx[3] = {0};
    printf("%.17g\n", route(x, kind));
    __enzyme_autodiff((void *)route, enzyme_dup, x, dx, enzyme_const, kind);
    printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
  }
  return 0;
}
