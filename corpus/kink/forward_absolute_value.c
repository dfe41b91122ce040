// Forward mode along a direction that crosses the corner of |x|, and along one that does not.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double corner(double x, double y) {
  double size = x < 0.0 ? -x : x; //~ kink
  return size * y + y * y;
}

int main(void) {
  printf("%g\n", __enzyme_fwddiff((void *)corner, 0.0, 0.0, 2.0, 1.0));
  printf("%g\n", __enzyme_fwddiff((void *)corner, 0.0, 1.0, 2.0, 0.0));
  return 0;
}
