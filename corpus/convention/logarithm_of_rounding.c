// The logarithm of sin² + cos² - 1, which is no number but rounding.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(double x) {
  double s = sin(x), c = cos(x);
  return log(s * s + c * c - 1.0); //~ convention
}

int main(void) {
  for (double x = 0.05; x < 3.0; x += 0.05)
    if (isfinite(f(x))) {
      printf("%.17g\n", x);
      __enzyme_autodiff((void *)f, x);
      break;
    }
  return 0;
}
