// Roots and quotients are computed at points where their derivative is infinite, and then not used:
// what does not reach the result contributes nothing.
#include "adj.h"
#include <math.h>
#include <stdio.h>

typedef struct {
  double length, slope, angle;
} Shape;

static Shape describe(double x, double y) {
  Shape s;
  s.length = sqrt(x); //~ convention
  s.slope = pow(y, 0.5);
  s.angle = acos(1.0 - x);
  return s;
}

static double value(const double *p, int wanted) {
  Shape s = describe(p[0], p[1]);
  double result = p[2] * p[2];
  if (wanted & 1)
    result += s.length;
  if (wanted & 2)
    result += s.slope * s.angle;
  return result;
}

int main(void) {
  for (int wanted = 0; wanted < 4; wanted++) {
    double at = wanted ? 0.25 : 0.0;
    double p[3] = {at, at, 1.5}, dp[3] = {0};
    printf("%.17g\n", value(p, wanted));
    __enzyme_autodiff((void *)value, enzyme_dup, p, dp, enzyme_const, wanted);
    printf("%.17g %.17g %.17g\n", dp[0], dp[1], dp[2]);
  }
  return 0;
}
