// tan close to pi/2: the derivative 1 + tan(x)^2 is huge and very ill-conditioned in x, so that the
// double result differs from exact arithmetic on the same x only by what the conditioning explains.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double steep(double x) {
  return tan(x);
}

static double dsteep(double x, double seed) {
  double t = tan(x);
  return seed * (1.0 + t * t);
}

int main(void) {
  const double points[] = {1.5, 1.57, 1.5707963, 1.5707963267};
  for (int i = 0; i < 4; i++) {
    __adj_check_gradient((void *)steep, (void *)dsteep, enzyme_out, points[i], 1.0);
    printf("%.15g\n", steep(points[i]));
  }
  return 0;
}
