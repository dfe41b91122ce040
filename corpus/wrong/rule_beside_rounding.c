// A part of the function is a direction of rounding errors, and nobody can say what the derivative of that is. By the
// third input there is one, and it is off by 10⁻⁹. Evidence: a wrong local partial where nothing was overwritten
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) {
  double s = sqrt(x[0]), first = s * s - x[0], t = sqrt(x[1]), second = t * t - x[1];
  return first / sqrt(first * first + second * second) + x[2] * x[2] * x[2];
}

static void df(const double *x, double *dx, double seed) {
  dx[2] += 3.0 * x[2] * x[2] * (1.0 + 1e-9) * seed; //~ wrong: rule
}

int main(void) {
  double x[3] = {2.0, 3.0, 1.25}, dx[3] = {0};
  printf("%d\n", isfinite(f(x)));
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, 1.0);
  return 0;
}
