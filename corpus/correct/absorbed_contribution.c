// A contribution far below the last digit of the number it is added to, even in the reference's own arithmetic: it is
// not taken for another derivative.
#include "adj.h"
#include <math.h>
#include <stdio.h>

// The length of the hypotenuse is of the order of 1e-200, and one half is taken from it.
static void absorbed(double *out, double x) {
  double length = hypot(5e-200, 1e-200 * x);
  out[0] = 0.42 * (length - 0.5);
}

int main(void) {
  double out[1] = {0};
  double dout[1] = {1.0};
  double g = __enzyme_autodiff((void *)absorbed, enzyme_dup, out, dout, enzyme_out, 0.4611);
  printf("%.17g\n", out[0]);
  printf("%.17g %.6g\n", dout[0], g);
  return 0;
}
