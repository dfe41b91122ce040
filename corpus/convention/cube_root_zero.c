// The cube root at zero, where the tangent is vertical.
// The derivative there is what the rule's stated convention says, not a limit.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double boundary(double x) {
  return cbrt(x); //~ convention
}

static double value(double x) {
  return 1.0 + 2.0 * boundary(x);
}

int main(void) {
  double x = 0.0;
  printf("%.17g\n", value(x));
  double d = __enzyme_autodiff((void *)value, x);
  printf("%d\n", d == d);
  return 0;
}
