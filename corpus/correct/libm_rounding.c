// libm: rounding functions (zero derivative), fmod and remainder, fdim, conversions to integers.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double pieces(double x) {
  return floor(x) * x + ceil(2.0 * x) * x * x - trunc(x) + round(x) * sin(x);
}
static double periodic(double x) {
  double f = fmod(x, 0.75), r = remainder(x, 1.1);
  return f * f + 3.0 * r * x;
}
static double positive_part(double x) {
  return fdim(x, 1.0) * x + fdim(1.0, x) * 2.0;
}
static double table_index(double x) {
  int i = (int)(x * 4.0);
  return (x - 0.25 * i) * (x - 0.25 * i) + i;
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    double x = 0.33 + 0.91 * i;
    printf("%.15g %.15g\n", pieces(x), __enzyme_autodiff((void *)pieces, x));
    printf("%.15g %.15g\n", periodic(x), __enzyme_autodiff((void *)periodic, x));
    printf("%.15g %.15g\n", positive_part(x), __enzyme_autodiff((void *)positive_part, x));
    printf("%.15g %.15g\n", table_index(x), __enzyme_autodiff((void *)table_index, x));
  }
  return 0;
}
